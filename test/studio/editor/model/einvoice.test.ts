import { expect } from "chai";
import { describe, it } from "mocha";
import { blueprint } from "../../../../core/templates/blueprints/index.js";
import { guessMap } from "../../../../plugins/studio/app/src/editor/einvoice/guess-map.js";

describe("the fields of an e-invoice", () => {
  it("are guessed by the names of the schema", () => {
    const { schema } = blueprint("invoice").definition;
    expect(guessMap(schema)).to.deep.include({
      invoiceNumber: "root.number",
      issueDate: "root.issuedOn",
      paymentDueDate: "root.dueOn",
      sellerName: "root.seller.name",
      sellerVatIdentifier: "root.seller.vatId",
      buyerName: "root.customer.name",
      buyerCountryCode: "root.customer.country",
      paymentAccountIdentifier: "root.bank.iban",
      invoiceTotalAmountWithVat: "root.total",
      lines: {
        each: "line in root.lines",
        itemName: "line.description",
        invoicedQuantity: "line.quantity",
        unitOfMeasureCode: "line.unit",
        itemNetPrice: "line.rate",
        vatRate: "line.taxRate",
        lineNetAmount: "line.amount",
      },
    });
  });

  it("are guessed by German names too, and none by names that say nothing", () => {
    const fields = ["Rechnungsnummer", "Datum", "Bemerkung"].map((name) => ({
      name,
      type: "String" as const,
    }));
    expect(guessMap([{ id: "root", fields }])).to.deep.equal({
      invoiceNumber: "root.Rechnungsnummer",
      issueDate: "root.Datum",
    });
  });
});
