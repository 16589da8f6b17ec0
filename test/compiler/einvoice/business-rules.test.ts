import { expect } from "chai";
import { describe, it } from "mocha";
import { compileTemplate } from "../../../core/compiler/index.js";
import type { EinvoiceMap } from "../../../core/definition/schema/einvoice-schema.js";
import type { EinvoiceProfile } from "../../../core/definition/schema/einvoice-terms.js";
import { einvoiceDefinition, INVOICE } from "../../support/einvoices.js";

const options = { isTest: false, now: new Date("2026-03-12T12:00:00Z") };

function check(
  profile: EinvoiceProfile,
  data: object,
  changes: EinvoiceMap = {},
) {
  const definition = einvoiceDefinition(profile, changes);
  return compileTemplate(definition, "document").einvoice(data, options);
}

const [workshop, book] = INVOICE.lines;
const { seller, buyer } = INVOICE;

/** Changes of a valid invoice, each with the rule that it breaks and the JSON path of the field. */
interface Broken {
  title: string;
  change: object;
  map?: EinvoiceMap;
  code: string;
  path: string;
}

const line = (change: object): object => ({
  lines: [{ ...workshop, ...change }, book],
});

const IN_EVERY_PROFILE: readonly Broken[] = [
  {
    title: "an allowance at a rate of zero, whose category no line has",
    change: { allowances: [{ amount: 5, rate: 0, reason: "Discount" }] },
    map: {
      documentAllowances: {
        each: "less in root.allowances",
        amount: "less.amount",
        reason: "less.reason",
        vatRate: "less.rate",
        vatCategoryCode: "less.vat",
      },
    },
    code: "BR-32",
    path: "$.data.allowances[0].vat",
  },
  {
    title: "a total beyond what other programs can add up",
    change: line({ price: 99_999_999_999.99, quantity: 999_999 }),
    code: "amount_too_large",
    path: "$.einvoice.map.lines",
  },
  {
    title: "no number",
    change: { number: "" },
    code: "BR-02",
    path: "$.data.number",
  },
  {
    title: "no date of issue",
    change: { issuedOn: null },
    code: "BR-03",
    path: "$.data.issuedOn",
  },
  {
    title: "a date that is none",
    change: { issuedOn: "12.03.2026" },
    code: "invalid_date",
    path: "$.data.issuedOn",
  },
  {
    title: "an unknown type",
    change: { type: "INV" },
    code: "BR-CL-01",
    path: "$.data.type",
  },
  {
    title: "an unknown currency",
    change: { currency: "Euro" },
    code: "BR-CL-04",
    path: "$.data.currency",
  },
  {
    title: "a seller without a name",
    change: { seller: { ...seller, name: " " } },
    code: "BR-06",
    path: "$.data.seller.name",
  },
  {
    title: "a seller without a country",
    change: { seller: { ...seller, country: undefined } },
    code: "BR-09",
    path: "$.data.seller.country",
  },
  {
    title: "a country that is none",
    change: { seller: { ...seller, country: "Atlantis" } },
    code: "BR-CL-14",
    path: "$.data.seller.country",
  },
  {
    title: "a VAT identifier without its country",
    change: { seller: { ...seller, vatId: "318504772" } },
    code: "BR-CO-09",
    path: "$.data.seller.vatId",
  },
  {
    title: "a seller whom nothing identifies",
    change: { seller: { ...seller, vatId: undefined, register: undefined } },
    code: "BR-CO-26",
    path: "$.data.seller.vatId",
  },
  {
    title: "a buyer without a name",
    change: { buyer: { ...buyer, name: undefined } },
    code: "BR-07",
    path: "$.data.buyer.name",
  },
  {
    title: "no lines",
    change: { lines: [] },
    code: "BR-16",
    path: "$.einvoice.map.lines",
  },
  {
    title: "a line without a quantity",
    change: line({ quantity: null }),
    code: "BR-22",
    path: "$.data.lines[0].quantity",
  },
  {
    title: "a quantity in words",
    change: line({ quantity: "two" }),
    code: "wrong_type",
    path: "$.data.lines[0].quantity",
  },
  {
    title: "a line without a price",
    change: line({ price: undefined }),
    code: "BR-26",
    path: "$.data.lines[0].price",
  },
  {
    title: "a negative price",
    change: line({ price: -5 }),
    code: "BR-27",
    path: "$.data.lines[0].price",
  },
  {
    title: "a negative gross price",
    change: line({ price: undefined, grossPrice: -5 }),
    code: "BR-28",
    path: "$.data.lines[0].grossPrice",
  },
  {
    title: "a price for no quantity",
    change: line({ per: 0 }),
    code: "PEPPOL-EN16931-R121",
    path: "$.data.lines[0].per",
  },
  {
    title: "a net price that the discount does not make",
    change: line({ price: 10, grossPrice: 12, priceDiscount: 1 }),
    code: "PEPPOL-EN16931-R046",
    path: "$.data.lines[0].price",
  },
  {
    title: "a line without VAT and without the reason",
    change: line({ vatRate: 0 }),
    code: "BR-CO-04",
    path: "$.data.lines[0].vat",
  },
  {
    title: "an unknown VAT category",
    change: line({ vat: "X" }),
    code: "BR-CL-18",
    path: "$.data.lines[0].vat",
  },
  {
    title: "the standard category without a rate",
    change: line({ vat: "S", vatRate: 0 }),
    code: "BR-S-05",
    path: "$.data.lines[0].vatRate",
  },
  {
    title: "a category without VAT that has a rate",
    change: line({ vat: "AE" }),
    code: "BR-E-05",
    path: "$.data.lines[0].vatRate",
  },
  {
    title: "a rate that is a fraction",
    change: line({ vatRate: 0.19 }),
    code: "BR-CO-17",
    path: "$.data.lines[0].vatRate",
  },
  {
    title: "an allowance without an amount",
    change: { allowances: [{ reason: "Rabatt" }] },
    code: "BR-31",
    path: "$.data.allowances[0].amount",
  },
  {
    title: "a negative allowance",
    change: { allowances: [{ amount: -1, reason: "Rabatt" }] },
    code: "BR-31",
    path: "$.data.allowances[0].amount",
  },
  {
    title: "an allowance without a reason",
    change: { allowances: [{ amount: 1 }] },
    code: "BR-33",
    path: "$.data.allowances[0].reason",
  },
  {
    title: "an unknown reason code",
    change: { allowances: [{ amount: 1, code: "DISCOUNT" }] },
    code: "BR-CL-19",
    path: "$.data.allowances[0].code",
  },
  {
    title: "a charge without a reason",
    change: { charges: [{ amount: 1 }] },
    code: "BR-38",
    path: "$.data.charges[0].reason",
  },
  {
    title: "an allowance that is not its percentage",
    change: { allowances: [{ amount: 100, percentage: 5, reason: "Rabatt" }] },
    code: "PEPPOL-EN16931-R040",
    path: "$.data.allowances[0].amount",
  },
  {
    title: "an allowance of a line without a reason",
    change: line({ allowances: [{ amount: 1 }] }),
    code: "BR-33",
    path: "$.data.lines[0].allowances[0].reason",
  },
  {
    title: "an amount with three decimals",
    change: { paid: 1.005 },
    code: "BR-DEC",
    path: "$.data.paid",
  },
  {
    title: "lines within and outside of the scope of VAT",
    change: line({ vat: "O", vatRate: undefined }),
    code: "BR-O-11",
    path: "$.einvoice.map.lines",
  },
  {
    title: "a total that the lines do not make",
    change: { total: 9999 },
    map: { invoiceTotalAmountWithVat: "root.total" },
    code: "BR-CO-15",
    path: "$.data.total",
  },
  {
    title: "a net amount of a line that is not its price",
    change: line({ amount: 2900.01 }),
    map: { lines: { ...lines(), lineNetAmount: "line.amount" } },
    code: "BR-LIN",
    path: "$.data.lines[0].amount",
  },
  {
    title: "VAT that is not that of the lines",
    change: { taxes: [{ rate: 19, amount: 550.99 }] },
    map: {
      vatBreakdown: {
        each: "tax in root.taxes",
        vatCategoryRate: "tax.rate",
        vatCategoryTaxAmount: "tax.amount",
      },
    },
    code: "BR-CO-17",
    path: "$.data.taxes[0].amount",
  },
];

const IN_EN_16931: readonly Broken[] = [
  {
    title: "a tax representative without a name",
    change: { agent: { city: "Paris", country: "FR" } },
    map: {
      sellerTaxRepresentativeName: "root.agent.name",
      sellerTaxRepresentativeVatIdentifier: "root.agent.vatId",
      taxRepresentativeCity: "root.agent.city",
      taxRepresentativeCountryCode: "root.agent.country",
    },
    code: "BR-18",
    path: "$.data.agent.name",
  },
  {
    title: "a tax representative without a VAT identifier",
    change: { agent: { name: "Agence", country: "FR" } },
    map: {
      sellerTaxRepresentativeName: "root.agent.name",
      sellerTaxRepresentativeVatIdentifier: "root.agent.vatId",
      taxRepresentativeCity: "root.agent.city",
      taxRepresentativeCountryCode: "root.agent.country",
    },
    code: "BR-56",
    path: "$.data.agent.vatId",
  },
  {
    title: "a tax representative of a seller outside of the scope of VAT",
    change: {
      seller: { ...seller, vatId: null },
      buyer: { ...buyer, vatId: null },
      agent: { name: "Agence", vatId: "FR12345678901", country: "FR" },
      lines: [{ ...workshop, vat: "O", vatRate: null }],
    },
    map: {
      sellerTaxRepresentativeName: "root.agent.name",
      sellerTaxRepresentativeVatIdentifier: "root.agent.vatId",
      taxRepresentativeCity: "root.agent.city",
      taxRepresentativeCountryCode: "root.agent.country",
    },
    code: "BR-O-02",
    path: "$.data.agent.vatId",
  },
  {
    title: "a payee with the identifier of the seller",
    change: { payee: { name: "Factor AG", register: "HRB 1" } },
    map: {
      sellerLegalRegistrationIdentifier: '"HRB 1"',
      payeeName: "root.payee.name",
      payeeLegalRegistrationIdentifier: "root.payee.register",
    },
    code: "BR-17",
    path: "$.data.payee.register",
  },
  {
    title: "VAT in another currency with another sign",
    change: { currency: "USD", vatInEuros: -90 },
    map: {
      vatAccountingCurrencyCode: '"EUR"',
      invoiceTotalVatAmountInAccountingCurrency: "root.vatInEuros",
    },
    code: "PEPPOL-EN16931-R055",
    path: "$.data.vatInEuros",
  },
  {
    title: "a buyer without a country",
    change: { buyer: { ...buyer, country: "" } },
    code: "BR-11",
    path: "$.data.buyer.country",
  },
  {
    title: "neither a due date nor terms",
    change: { dueOn: undefined },
    code: "BR-CO-25",
    path: "$.data.dueOn",
  },
  {
    title: "a line without a name",
    change: line({ name: "" }),
    code: "BR-25",
    path: "$.data.lines[0].name",
  },
  {
    title: "a unit that has no code",
    change: line({ unit: "bunches" }),
    code: "BR-CL-23",
    path: "$.data.lines[0].unit",
  },
  {
    title: "exempt lines without the reason",
    change: line({ vat: "E", vatRate: 0 }),
    code: "BR-E-10",
    path: "$.data.exemption",
  },
  {
    title: "reverse charge for a buyer whom nothing identifies",
    change: {
      buyer: { ...buyer, vatId: undefined },
      lines: [{ ...workshop, vat: "AE", vatRate: 0 }],
    },
    code: "BR-AE-02",
    path: "$.data.buyer.vatId",
  },
  {
    title: "an intra-community supply to nowhere",
    change: { lines: [{ ...workshop, vat: "K", vatRate: 0 }] },
    code: "BR-IC-12",
    path: "$.data.delivery.country",
  },
  {
    title: "a delivery address without a country",
    change: { delivery: { city: "Wien" } },
    code: "BR-57",
    path: "$.data.delivery.country",
  },
  {
    title: "a period that ends before it begins",
    change: { period: { start: "2026-02-28", end: "2026-02-01" } },
    code: "BR-29",
    path: "$.data.period.end",
  },
  {
    title: "an IBAN with a wrong digit",
    change: { bank: { iban: "DE88370400440532013000" } },
    map: { paymentMeansTypeCode: '"58"' },
    code: "BR-DE-19",
    path: "$.data.bank.iban",
  },
  {
    title: "a transfer without an account",
    change: { bank: {} },
    map: { paymentMeansTypeCode: '"30"' },
    code: "BR-61",
    path: "$.data.bank.iban",
  },
  {
    title: "a preceding invoice without a number",
    change: { preceding: [{ issuedOn: "2026-01-01" }] },
    code: "BR-55",
    path: "$.data.preceding[0].invoice",
  },
  {
    title: "an attribute without a value",
    change: line({ attributes: [{ name: "Farbe" }] }),
    code: "BR-54",
    path: "$.data.lines[0].attributes[0].value",
  },
];

const IN_XRECHNUNG: readonly Broken[] = [
  {
    title: "text after a cash discount that has # in it",
    change: { terms: "#SKONTO#TAGE=14#PROZENT=2.00#\nOrder #12# only" },
    code: "BR-DE-18",
    path: "$.data.terms",
  },
  {
    title: "no Leitweg-ID",
    change: { buyerReference: "" },
    code: "BR-DE-15",
    path: "$.data.buyerReference",
  },
  {
    title: "no account to pay to",
    change: { bank: {} },
    code: "BR-DE-1",
    path: "$.data.bank.iban",
  },
  {
    title: "a seller without a contact",
    change: { seller: { ...seller, contact: undefined } },
    code: "BR-DE-5",
    path: "$.data.seller.contact",
  },
  {
    title: "a seller without a telephone number",
    change: { seller: { ...seller, phone: undefined } },
    code: "BR-DE-6",
    path: "$.data.seller.phone",
  },
  {
    title: "a seller without a city",
    change: { seller: { ...seller, city: undefined } },
    code: "BR-DE-3",
    path: "$.data.seller.city",
  },
  {
    title: "a buyer without a post code",
    change: { buyer: { ...buyer, postCode: undefined } },
    code: "BR-DE-9",
    path: "$.data.buyer.postCode",
  },
  {
    title: "a buyer without an electronic address",
    change: { buyer: { ...buyer, email: undefined } },
    code: "PEPPOL-EN16931-R010",
    path: "$.data.buyer.email",
  },
  {
    title: "a cash discount in its own words",
    change: { terms: "#2 % in 14 days#" },
    code: "BR-DE-18",
    path: "$.data.terms",
  },
];

const IN_PEPPOL: readonly Broken[] = [
  {
    title: "a reason of another VAT category",
    change: {
      lines: [{ ...workshop, vat: "E", vatRate: 0 }],
      reason: "VATEX-EU-G",
    },
    map: { vatExemptionReasonCode: "root.reason" },
    code: "PEPPOL-EN16931-P0104",
    path: "$.data.reason",
  },
  {
    title: "a Dutch VAT identifier in another form",
    change: { buyer: { ...buyer, vatId: "NL123456789" } },
    code: "PEPPOL-COMMON-R056",
    path: "$.data.buyer.vatId",
  },
  ...(
    [
      ["0007", "1234567890"],
      ["0088", "4012345000000"],
      ["0096", "12345"],
      ["0106", "1234"],
      ["0151", "12345678901"],
      ["0184", "DK1"],
      ["0190", "1"],
      ["0192", "123456789"],
      ["0198", "12345678"],
      ["0208", "0123456789"],
    ] as const
  ).map(([scheme, text]) => ({
    title: `an address that is not of the scheme ${scheme}`,
    change: { buyer: { ...buyer, gln: text } },
    map: { buyerElectronicAddressScheme: `"${scheme}"` },
    code: "PEPPOL-COMMON",
    path: "$.data.buyer.gln",
  })),
  {
    title: "a type that Peppol does not know",
    change: { type: "389" },
    code: "PEPPOL-EN16931-P0100",
    path: "$.data.type",
  },
  {
    title: "an email address",
    change: {},
    map: {
      buyerElectronicAddress: "root.buyer.email",
      buyerElectronicAddressScheme: "root.scheme",
    },
    code: "PEPPOL-EN16931-CL008",
    path: "$.data.scheme",
  },
];

function lines() {
  const { einvoice } = einvoiceDefinition("factur-x-en16931");
  const { lines: mapped = {} } = einvoice?.map ?? {};
  return Array.isArray(mapped) ? {} : mapped;
}

const CASES: readonly [EinvoiceProfile, readonly Broken[]][] = [
  ["factur-x-minimum", IN_EVERY_PROFILE],
  ["factur-x-en16931", [...IN_EVERY_PROFILE, ...IN_EN_16931]],
  ["factur-x-extended", IN_EN_16931],
  ["xrechnung-cii", [...IN_EN_16931, ...IN_XRECHNUNG]],
  ["xrechnung-ubl", [...IN_EVERY_PROFILE, ...IN_XRECHNUNG]],
  ["peppol-bis-3", [...IN_EN_16931, ...IN_PEPPOL]],
];

for (const [profile, cases] of CASES)
  describe(`An e-invoice of the profile ${profile}`, () => {
    it("accepts the record that the others change", () => {
      expect(check(profile, INVOICE).problems).to.deep.equal([]);
    });

    for (const { title, change, map, code, path } of cases)
      it(`is refused by ${code} for ${title}`, () => {
        const data = { ...INVOICE, ...change };
        const { problems, einvoice } = check(profile, data, map);
        const found = problems.map((one) => `${one.code} ${one.path}`);
        expect(found).to.include(`${code} ${path}`);
        expect(einvoice).to.equal(null);
      });
  });

describe("An e-invoice is accepted", () => {
  const ALLOWED: readonly (readonly [
    title: string,
    EinvoiceProfile,
    change: object,
    map?: EinvoiceMap,
  ])[] = [
    [
      "with empty elements in its lists",
      "xrechnung-cii",
      {
        notes: [{}, { text: " " }, null],
        allowances: [{}],
        charges: [null],
        preceding: [{}],
        files: [{}],
        lines: [{ ...workshop, allowances: [{}], attributes: [{}] }],
      },
    ],
    [
      "with negative allowances of what is taken back",
      "xrechnung-ubl",
      {
        type: "381",
        lines: [
          {
            ...workshop,
            quantity: -2,
            allowances: [{ amount: -5, reason: "Rabatt" }],
          },
        ],
        allowances: [{ amount: -5, reason: "Rabatt" }],
      },
    ],
    [
      "in reverse charge without a rate",
      "xrechnung-cii",
      { lines: [{ ...workshop, vat: "AE", vatRate: null }] },
    ],
    [
      "with a direct debit without a mandate outside of Germany",
      "factur-x-en16931",
      { bank: null, means: 59 },
      { paymentMeansTypeCode: "root.means" },
    ],
    [
      "with codes in lower case",
      "factur-x-en16931",
      {
        currency: "eur",
        seller: { ...seller, vatId: "de318504772" },
        buyer: { ...buyer, country: "UK", vatId: "gb123456789" },
        bank: { iban: "de89 3704 0044 0532 0130 00" },
        lines: [{ ...workshop, unit: "ea" }],
      },
    ],
    ...(
      [
        ["0007", "5567321707"],
        ["0088", "4012345000016"],
        ["0151", "51824753556"],
        ["0184", "12345678"],
        ["0192", "974760673"],
        ["0208", "0202239951"],
      ] as const
    ).map(
      ([scheme, text]) =>
        [
          `for an address of the scheme ${scheme}`,
          "peppol-bis-3",
          { buyer: { ...buyer, gln: text } },
          { buyerElectronicAddressScheme: `"${scheme}"` },
        ] as const,
    ),
  ];
  for (const [title, profile, change, map] of ALLOWED)
    it(title, () => {
      const { problems } = check(profile, { ...INVOICE, ...change }, map);
      expect(problems).to.deep.equal([]);
    });
});

describe("A problem of an e-invoice", () => {
  const buyerless = { ...INVOICE, buyer: { ...buyer, country: null } };

  it("says in plain words what is missing, and which field to fill", () => {
    expect(check("factur-x-en16931", buyerless).problems).to.deep.equal([
      {
        path: "$.data.buyer.country",
        term: "buyerCountryCode",
        code: "BR-11",
        message: "The buyer has no country (BR-11).",
        hint: "Fill `buyer.country`, a code of two letters such as DE.",
        expected: "a code of two letters such as DE",
      },
    ]);
  });

  it("asks to map a term that no field provides", () => {
    const { problems } = check("factur-x-en16931", INVOICE, {
      buyerCountryCode: undefined,
    });
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
    const { problems } = check("factur-x-en16931", buyerless, {
      buyerCountryCode: 'COALESCE(root.buyer.country, "") | upper',
    });
    expect(problems.map(({ path }) => path)).to.deep.equal([
      "$.data.buyer.country",
    ]);
  });

  it("says what the lines make where the record has another total", () => {
    const { problems } = check(
      "factur-x-en16931",
      { ...INVOICE, total: 6400 },
      { invoiceTotalAmountWithVat: "root.total" },
    );
    expect(problems).to.deep.equal([
      {
        path: "$.data.total",
        term: "invoiceTotalAmountWithVat",
        code: "BR-CO-15",
        message:
          "The record says 6400.00, but the total with VAT is 6404.20 (BR-CO-15).",
        hint: "Correct `total`, or what it is calculated from.",
      },
    ]);
  });

  it("is not said again of the totals and the VAT category when a number cannot be read", () => {
    const { problems } = check(
      "factur-x-en16931",
      { ...INVOICE, ...line({ vatRate: "19 %" }), total: 6404.2 },
      { invoiceTotalAmountWithVat: "root.total" },
    );
    expect(problems.map(({ path, hint }) => [path, hint])).to.deep.equal([
      ["$.data.lines[0].vatRate", "Write a number such as 19 for 19 %."],
    ]);
  });
});
