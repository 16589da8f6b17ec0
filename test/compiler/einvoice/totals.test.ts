import { expect } from "chai";
import { Decimal } from "decimal.js";
import { expectAccepted, fc } from "../../support/properties.js";
import { describe, it } from "mocha";
import { SaxesParser } from "saxes";
import { compileTemplate } from "../../../core/compiler/index.js";
import {
  EINVOICE_PROFILE_NAMES,
  type EinvoiceMap,
  type EinvoiceProfile,
} from "../../../core/plugin-api/definition.js";
import {
  einvoiceDefinition,
  INVOICE,
  invoiceRecords,
} from "../../support/einvoices.js";

const options = { isTest: false, now: new Date("2026-03-12T12:00:00Z") };

function createXml(
  profile: EinvoiceProfile,
  data: object,
  changes: EinvoiceMap = {},
): string {
  const definition = einvoiceDefinition(profile, changes);
  const program = compileTemplate(definition, "document");
  const { problems, einvoice } = program.einvoice(data, options);
  expect(problems).to.deep.equal([]);
  return einvoice?.xml ?? "";
}

/** The texts of all elements, by their paths from below the root, without namespaces. */
function readElements(xml: string): { path: string; text: string }[] {
  const found: { path: string; text: string }[] = [];
  const open: string[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name }) => open.push(name.replace(/^\w+:/, "")));
  parser.on("text", (text) => {
    if (text.trim() !== "") found.push({ path: open.slice(1).join("/"), text });
  });
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  return found;
}

function findAll(xml: string, end: string): string[] {
  return readElements(xml)
    .filter(({ path }) => path.endsWith(end))
    .map(({ text }) => text);
}

function sum(amounts: readonly string[]): string {
  return Decimal.sum(0, ...amounts).toFixed(2);
}

const summation = "SpecifiedTradeSettlementHeaderMonetarySummation/";

describe("The totals of an e-invoice", () => {
  it("add up in every generated invoice", () => {
    fc.assert(
      fc.property(invoiceRecords, (record) => {
        const xml = createXml("factur-x-en16931", record);
        const one = (name: string) => findAll(xml, summation + name)[0] ?? "";
        const lines = findAll(
          xml,
          "SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount",
        );
        expect(sum(lines)).to.equal(one("LineTotalAmount"));
        const bases = findAll(xml, "Settlement/ApplicableTradeTax/BasisAmount");
        expect(sum(bases)).to.equal(one("TaxBasisTotalAmount"));
        const taxes = findAll(xml, "ApplicableTradeTax/CalculatedAmount");
        expect(sum(taxes)).to.equal(one("TaxTotalAmount"));
        expect(
          sum([one("TaxBasisTotalAmount"), one("TaxTotalAmount")]),
        ).to.equal(one("GrandTotalAmount"));
        const paid = new Decimal(one("TotalPrepaidAmount")).negated();
        expect(sum([one("GrandTotalAmount"), paid.toFixed(2)])).to.equal(
          one("DuePayableAmount"),
        );
      }),
      { numRuns: 100 },
    );
  });

  it("are the same in every profile", () => {
    fc.assert(
      fc.property(invoiceRecords, (record) => {
        const totals = EINVOICE_PROFILE_NAMES.map((profile) => {
          const xml = createXml(profile, record);
          const [due] = findAll(xml, "/DuePayableAmount");
          return due ?? findAll(xml, "/PayableAmount")[0];
        });
        expect(new Set(totals).size).to.equal(1);
      }),
      { numRuns: 25 },
    );
  });

  it("round halves up, and a sum of binary numbers as the decimal one", () => {
    const lines = [
      { name: "A", quantity: 3, price: 0.335, vatRate: 19 },
      { name: "B", quantity: 1, price: 0.1 + 0.2, vatRate: 19 },
    ];
    const xml = createXml(
      "factur-x-en16931",
      { ...INVOICE, lines, net: 1.01 + 0.1 + 0.2 },
      { invoiceTotalAmountWithoutVat: "root.net" },
    );
    expect(findAll(xml, "LineMonetarySummation/LineTotalAmount")).to.deep.equal(
      ["1.01", "0.30"],
    );
    expect(
      findAll(xml, "NetPriceProductTradePrice/ChargeAmount"),
    ).to.deep.equal(["0.335", "0.3"]);
    expect(findAll(xml, `${summation}TaxTotalAmount`)).to.deep.equal(["0.25"]);
  });

  it("divide an allowance without VAT among the rates of the lines, to the last cent", () => {
    const lines = [
      { name: "A", quantity: 1, price: 100, vatRate: 19 },
      { name: "B", quantity: 1, price: 50, vatRate: 7 },
    ];
    const xml = createXml("factur-x-en16931", {
      ...INVOICE,
      lines,
      allowances: [{ amount: 10, reason: "Rabatt" }],
    });
    expect(
      findAll(xml, "SpecifiedTradeAllowanceCharge/ActualAmount"),
    ).to.deep.equal(["6.67", "3.33"]);
    expect(
      findAll(xml, "Settlement/ApplicableTradeTax/BasisAmount"),
    ).to.deep.equal(["93.33", "46.67"]);
  });

  it("are those of the record, or the invoice is refused", () => {
    const data = { ...INVOICE, total: 6404.2, due: 6304.2, paid: 100 };
    const xml = createXml("peppol-bis-3", data, {
      invoiceTotalAmountWithVat: "root.total",
      amountDueForPayment: "root.due",
    });
    expect(findAll(xml, "/PayableAmount")).to.deep.equal(["6304.20"]);
  });
});

describe("An e-invoice", () => {
  it("is made or refused for any data", () => {
    // Records with these keys are refused before.
    const values = fc
      .jsonValue({ maxDepth: 3 })
      .filter(
        (value) =>
          !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value)),
      );
    const field = fc.constantFrom(...Object.keys(INVOICE));
    const profiles = fc.constantFrom(...EINVOICE_PROFILE_NAMES);
    expectAccepted(50, (accept) => {
      const check = (
        profile: EinvoiceProfile,
        name: string,
        value: unknown,
      ) => {
        const data = { ...INVOICE, [name]: value };
        const definition = einvoiceDefinition(profile);
        const program = compileTemplate(definition, "document");
        const { einvoice, problems } = program.einvoice(data, options);
        expect(einvoice === null).to.equal(problems.length > 0);
        if (einvoice === null) return;
        accept();
        expect(readElements(einvoice.xml)).not.to.eql([]);
      };
      fc.assert(fc.property(profiles, field, values, check), { numRuns: 500 });
    });
  });

  it("has codes for countries and units that are written as words, and no spaces in identifiers", () => {
    const xml = createXml("xrechnung-cii", INVOICE);
    expect(
      findAll(xml, "BuyerTradeParty/PostalTradeAddress/CountryID"),
    ).to.deep.equal(["DE"]);
    expect(xml).to.contain('unitCode="DAY"').and.contain('unitCode="H87"');
    expect(findAll(xml, "/IBANID")).to.deep.equal(["DE89370400440532013000"]);
    expect(
      findAll(xml, "SellerTradeParty/SpecifiedTaxRegistration/ID")[0],
    ).to.equal("DE318504772");
  });

  it("keeps the spaces of post codes", () => {
    const seller = { ...INVOICE.seller, postCode: "D02 XY45" };
    const xml = createXml("factur-x-en16931", { ...INVOICE, seller });
    expect(
      findAll(xml, "SellerTradeParty/PostalTradeAddress/PostcodeCode"),
    ).to.deep.equal(["D02 XY45"]);
  });

  it("contains texts as they are, without characters that XML does not allow", () => {
    const name = 'A & B <"1"> \u0001\uD800\uFFFE ☕ ]]>';
    const xml = createXml("xrechnung-ubl", {
      ...INVOICE,
      buyer: { ...INVOICE.buyer, name },
    });
    expect(findAll(xml, "PartyLegalEntity/RegistrationName")).to.include(
      'A & B <"1">  ☕ ]]>',
    );
  });

  it("has the code of the tax point that its syntax has", () => {
    for (const [code, cii, ubl] of [
      ["3", "5", "3"],
      ["29", "29", "35"],
      ["72", "72", "432"],
    ] as const) {
      const map = { taxPointDateCode: `"${code}"` };
      expect(
        findAll(createXml("xrechnung-cii", INVOICE, map), "DueDateTypeCode")[0],
      ).to.equal(cii);
      expect(
        findAll(createXml("xrechnung-ubl", INVOICE, map), "DescriptionCode")[0],
      ).to.equal(ubl);
    }
  });

  it("has the schemes of the identifiers of a payee and of a place of delivery", () => {
    const map = {
      payeeName: '"Factor SA"',
      payeeIdentifier: '"55210055400013"',
      payeeIdentifierScheme: '"0009"',
      payeeLegalRegistrationIdentifier: '"552100554"',
      payeeLegalRegistrationIdentifierScheme: '"0002"',
      deliverToLocationIdentifier: '"4012345000009"',
      deliverToLocationIdentifierScheme: '"0088"',
    };
    for (const profile of ["factur-x-basic-wl", "xrechnung-ubl"] as const) {
      const xml = createXml(profile, INVOICE, map);
      for (const identifier of [
        'schemeID="0009">55210055400013<',
        'schemeID="0002">552100554<',
        'schemeID="0088">4012345000009<',
      ])
        expect(xml, profile).to.contain(identifier);
    }
  });

  it("has no payee when the seller is paid", () => {
    const map = {
      payeeName: "root.seller.name",
      payeeLegalRegistrationIdentifier: "root.seller.register",
    };
    const seller = { ...INVOICE.seller, register: "HRB 1" };
    const data = { ...INVOICE, seller };
    expect(createXml("xrechnung-cii", data, map)).not.to.contain(
      "PayeeTradeParty",
    );
    expect(createXml("xrechnung-ubl", data, map)).not.to.contain("PayeeParty");
  });

  it("has the digits of a card number that is printed with a mask", () => {
    const data = { ...INVOICE, bank: null };
    const map = {
      paymentCardPrimaryAccountNumber: '"**** **** **** 1234"',
    };
    expect(
      findAll(
        createXml("xrechnung-cii", data, map),
        "ApplicableTradeSettlementFinancialCard/ID",
      ),
    ).to.deep.equal(["1234"]);
  });

  it("gives an allowance with a rate the category of the lines with that rate", () => {
    const data = {
      ...INVOICE,
      exemption: "§ 4 Nr. 21 UStG",
      lines: [
        { name: "Course", quantity: 1, price: 100, vatRate: 0, vat: "E" },
      ],
    };
    const map = {
      documentAllowances: {
        amount: "5",
        reason: '"Discount"',
        vatRate: "0",
      },
    };
    expect(
      findAll(
        createXml("xrechnung-cii", data, map),
        "CategoryTradeTax/CategoryCode",
      ),
    ).to.deep.equal(["E"]);
  });

  it("is a credit note of its own in UBL", () => {
    const data = { ...INVOICE, type: "381" };
    expect(createXml("xrechnung-ubl", data))
      .to.contain("<CreditNote ")
      .and.contain("<cbc:CreditedQuantity");
  });

  it("has no terms that the profile does not have", () => {
    const xml = createXml("factur-x-minimum", INVOICE);
    expect(findAll(xml, "BuyerTradeParty/Name")).to.have.length(1);
    expect(
      findAll(xml, "BuyerTradeParty/PostalTradeAddress/CityName"),
    ).to.have.length(0);
    expect(xml).not.to.contain("IncludedSupplyChainTradeLineItem");
  });
});
