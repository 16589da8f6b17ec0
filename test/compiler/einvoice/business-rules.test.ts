import { expect } from "chai";
import { compileTemplate } from "../../../core/compiler/index.js";
import type { EinvoiceMap } from "../../../core/definition/schema/einvoice-schema.js";
import { einvoiceDefinition, INVOICE } from "../../support/einvoices.js";

const options = { isTest: false, now: new Date("2026-03-12T12:00:00Z") };

function check(data: object, changes: EinvoiceMap = {}) {
  const definition = einvoiceDefinition("factur-x-en16931", changes);
  return compileTemplate(definition, "document").einvoice(data, options);
}

const [workshop, book] = INVOICE.lines;
const { buyer } = INVOICE;

describe("A problem of an e-invoice", () => {
  const buyerless = { ...INVOICE, buyer: { ...buyer, country: null } };

  it("asks to map a term that no field provides", () => {
    const { problems } = check(INVOICE, { buyerCountryCode: undefined });
    expect(problems).to.deep.equal([
      {
        path: "$.einvoice.map.buyerCountryCode",
        term: "buyerCountryCode",
        code: "BR-11",
        message: "The buyer has no country (BR-11).",
        hint: "Map `buyerCountryCode` in the template's e-invoice, a code of two letters such as DE.",
        expected: "a code of two letters such as DE",
      },
    ]);
  });

  it("names the field that an expression reads first", () => {
    const { problems } = check(buyerless, {
      buyerCountryCode: 'COALESCE(root.buyer.country, "") | upper',
    });
    expect(problems.map(({ path }) => path)).to.deep.equal([
      "$.data.buyer.country",
    ]);
  });

  it("is not said again of the totals and the VAT category when a number cannot be read", () => {
    const { problems } = check(
      {
        ...INVOICE,
        lines: [{ ...workshop, vatRate: "19 %" }, book],
        total: 6404.2,
      },
      { invoiceTotalAmountWithVat: "root.total" },
    );
    expect(problems.map(({ path, hint }) => [path, hint])).to.deep.equal([
      ["$.data.lines[0].vatRate", "Write a number such as 19 for 19 %."],
    ]);
  });

  it("is said of the whole invoice past 20,000 lines", () => {
    const lines = {
      each: "line in root.lines",
      invoicedQuantity: "1",
      itemNetPrice: "1",
      vatRate: "19",
    };
    const [most, more] = [20_000, 20_001].map((length) =>
      check(
        { ...INVOICE, lines: Array.from({ length }, () => ({})) },
        { lines },
      ),
    );
    expect(most?.problems.map(({ code }) => code)).not.to.include(
      "too_many_lines",
    );
    expect(more?.problems[0]).to.deep.equal({
      path: "$.einvoice.map.lines",
      term: "lines",
      code: "too_many_lines",
      message: "The invoice has 20001 lines, and an e-invoice at most 20000.",
      hint: "Divide it into several invoices.",
    });
  });
});
