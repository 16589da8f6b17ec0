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

function broken(
  title: string,
  code: string,
  path: string,
  change: object,
  map?: EinvoiceMap,
): Broken {
  return { title, change, code, path, ...(map && { map }) };
}

/** A record with another value at the path of the problem, in an object or in the first line. */
function at(
  code: string,
  path: string,
  value: unknown,
  map?: EinvoiceMap,
): Broken {
  const [owner = "", name = ""] = path.split(".");
  const changes: Record<string, object> = {
    "lines[0]": line({ [name]: value }),
    seller: { seller: { ...seller, [name]: value } },
    buyer: { buyer: { ...buyer, [name]: value } },
  };
  const change = changes[owner] ?? { [owner]: value };
  const written = value === undefined ? "nothing" : JSON.stringify(value);
  return broken(`${written} in ${path}`, code, `$.data.${path}`, change, map);
}

const IN_EVERY_PROFILE: readonly Broken[] = [
  broken(
    "an allowance at a rate of zero, whose category no line has",
    "BR-32",
    "$.data.allowances[0].vat",
    { allowances: [{ amount: 5, rate: 0, reason: "Discount" }] },
    {
      documentAllowances: {
        each: "less in root.allowances",
        amount: "less.amount",
        reason: "less.reason",
        vatRate: "less.rate",
        vatCategoryCode: "less.vat",
      },
    },
  ),
  broken(
    "a total beyond what other programs can add up",
    "amount_too_large",
    "$.einvoice.map.lines",
    line({ price: 99_999_999_999.99, quantity: 999_999 }),
  ),
  at("BR-02", "number", ""),
  at("BR-03", "issuedOn", null),
  at("invalid_date", "issuedOn", "12.03.2026"),
  at("BR-CL-01", "type", "INV"),
  at("BR-CL-04", "currency", "Euro"),
  at("BR-06", "seller.name", " "),
  at("BR-09", "seller.country", undefined),
  at("BR-CL-14", "seller.country", "Atlantis"),
  at("BR-CO-09", "seller.vatId", "318504772"),
  broken(
    "a seller whom nothing identifies",
    "BR-CO-26",
    "$.data.seller.vatId",
    { seller: { ...seller, vatId: undefined, register: undefined } },
  ),
  at("BR-07", "buyer.name", undefined),
  broken("no lines", "BR-16", "$.einvoice.map.lines", { lines: [] }),
  at("BR-22", "lines[0].quantity", null),
  at("wrong_type", "lines[0].quantity", "two"),
  at("BR-26", "lines[0].price", undefined),
  at("BR-27", "lines[0].price", -5),
  broken(
    "a negative gross price",
    "BR-28",
    "$.data.lines[0].grossPrice",
    line({ price: undefined, grossPrice: -5 }),
  ),
  at("PEPPOL-EN16931-R121", "lines[0].per", 0),
  broken(
    "a net price that the discount does not make",
    "PEPPOL-EN16931-R046",
    "$.data.lines[0].price",
    line({ price: 10, grossPrice: 12, priceDiscount: 1 }),
  ),
  broken(
    "a line without VAT and without the reason",
    "BR-CO-04",
    "$.data.lines[0].vat",
    line({ vatRate: 0 }),
  ),
  at("BR-CL-18", "lines[0].vat", "X"),
  broken(
    "the standard category without a rate",
    "BR-S-05",
    "$.data.lines[0].vatRate",
    line({ vat: "S", vatRate: 0 }),
  ),
  broken(
    "a category without VAT that has a rate",
    "BR-E-05",
    "$.data.lines[0].vatRate",
    line({ vat: "AE" }),
  ),
  at("BR-CO-17", "lines[0].vatRate", 0.19),
  broken(
    "an allowance without an amount",
    "BR-31",
    "$.data.allowances[0].amount",
    { allowances: [{ reason: "Rabatt" }] },
  ),
  broken("a negative allowance", "BR-31", "$.data.allowances[0].amount", {
    allowances: [{ amount: -1, reason: "Rabatt" }],
  }),
  broken(
    "an allowance without a reason",
    "BR-33",
    "$.data.allowances[0].reason",
    { allowances: [{ amount: 1 }] },
  ),
  broken("an unknown reason code", "BR-CL-19", "$.data.allowances[0].code", {
    allowances: [{ amount: 1, code: "DISCOUNT" }],
  }),
  broken("a charge without a reason", "BR-38", "$.data.charges[0].reason", {
    charges: [{ amount: 1 }],
  }),
  broken(
    "an allowance that is not its percentage",
    "PEPPOL-EN16931-R040",
    "$.data.allowances[0].amount",
    { allowances: [{ amount: 100, percentage: 5, reason: "Rabatt" }] },
  ),
  broken(
    "an allowance of a line without a reason",
    "BR-33",
    "$.data.lines[0].allowances[0].reason",
    line({ allowances: [{ amount: 1 }] }),
  ),
  at("BR-DEC", "paid", 1.005),
  broken(
    "lines within and outside of the scope of VAT",
    "BR-O-11",
    "$.einvoice.map.lines",
    line({ vat: "O", vatRate: undefined }),
  ),
  at("BR-CO-15", "total", 9999, { invoiceTotalAmountWithVat: "root.total" }),
  at("BR-LIN", "lines[0].amount", 2900.01, {
    lines: { ...lines(), lineNetAmount: "line.amount" },
  }),
  broken(
    "VAT that is not that of the lines",
    "BR-CO-17",
    "$.data.taxes[0].amount",
    { taxes: [{ rate: 19, amount: 550.99 }] },
    {
      vatBreakdown: {
        each: "tax in root.taxes",
        vatCategoryRate: "tax.rate",
        vatCategoryTaxAmount: "tax.amount",
      },
    },
  ),
];

const TAX_REPRESENTATIVE: EinvoiceMap = {
  sellerTaxRepresentativeName: "root.agent.name",
  sellerTaxRepresentativeVatIdentifier: "root.agent.vatId",
  taxRepresentativeCity: "root.agent.city",
  taxRepresentativeCountryCode: "root.agent.country",
};

const IN_EN_16931: readonly Broken[] = [
  broken(
    "a tax representative without a name",
    "BR-18",
    "$.data.agent.name",
    { agent: { city: "Paris", country: "FR" } },
    TAX_REPRESENTATIVE,
  ),
  broken(
    "a tax representative without a VAT identifier",
    "BR-56",
    "$.data.agent.vatId",
    { agent: { name: "Agence", country: "FR" } },
    TAX_REPRESENTATIVE,
  ),
  broken(
    "a tax representative of a seller outside of the scope of VAT",
    "BR-O-02",
    "$.data.agent.vatId",
    {
      seller: { ...seller, vatId: null },
      buyer: { ...buyer, vatId: null },
      agent: { name: "Agence", vatId: "FR12345678901", country: "FR" },
      lines: [{ ...workshop, vat: "O", vatRate: null }],
    },
    TAX_REPRESENTATIVE,
  ),
  broken(
    "a payee with the identifier of the seller",
    "BR-17",
    "$.data.payee.register",
    { payee: { name: "Factor AG", register: "HRB 1" } },
    {
      sellerLegalRegistrationIdentifier: '"HRB 1"',
      payeeName: "root.payee.name",
      payeeLegalRegistrationIdentifier: "root.payee.register",
    },
  ),
  broken(
    "VAT in another currency with another sign",
    "PEPPOL-EN16931-R055",
    "$.data.vatInEuros",
    { currency: "USD", vatInEuros: -90 },
    {
      vatAccountingCurrencyCode: '"EUR"',
      invoiceTotalVatAmountInAccountingCurrency: "root.vatInEuros",
    },
  ),
  at("BR-11", "buyer.country", ""),
  at("BR-CO-25", "dueOn", undefined),
  at("BR-25", "lines[0].name", ""),
  at("BR-CL-23", "lines[0].unit", "bunches"),
  broken(
    "exempt lines without the reason",
    "BR-E-10",
    "$.data.exemption",
    line({ vat: "E", vatRate: 0 }),
  ),
  broken(
    "reverse charge for a buyer whom nothing identifies",
    "BR-AE-02",
    "$.data.buyer.vatId",
    {
      buyer: { ...buyer, vatId: undefined },
      lines: [{ ...workshop, vat: "AE", vatRate: 0 }],
    },
  ),
  broken(
    "an intra-community supply to nowhere",
    "BR-IC-12",
    "$.data.delivery.country",
    { lines: [{ ...workshop, vat: "K", vatRate: 0 }] },
  ),
  broken(
    "a delivery address without a country",
    "BR-57",
    "$.data.delivery.country",
    { delivery: { city: "Wien" } },
  ),
  broken("a period that ends before it begins", "BR-29", "$.data.period.end", {
    period: { start: "2026-02-28", end: "2026-02-01" },
  }),
  broken(
    "an IBAN with a wrong digit",
    "BR-DE-19",
    "$.data.bank.iban",
    { bank: { iban: "DE88370400440532013000" } },
    { paymentMeansTypeCode: '"58"' },
  ),
  broken(
    "a transfer without an account",
    "BR-61",
    "$.data.bank.iban",
    { bank: {} },
    { paymentMeansTypeCode: '"30"' },
  ),
  broken(
    "a preceding invoice without a number",
    "BR-55",
    "$.data.preceding[0].invoice",
    { preceding: [{ issuedOn: "2026-01-01" }] },
  ),
  broken(
    "an attribute without a value",
    "BR-54",
    "$.data.lines[0].attributes[0].value",
    line({ attributes: [{ name: "Farbe" }] }),
  ),
];

const IN_XRECHNUNG: readonly Broken[] = [
  at("BR-DE-18", "terms", "#SKONTO#TAGE=14#PROZENT=2.00#\nOrder #12# only"),
  at("BR-DE-15", "buyerReference", ""),
  broken("no account to pay to", "BR-DE-1", "$.data.bank.iban", { bank: {} }),
  at("BR-DE-5", "seller.contact", undefined),
  at("BR-DE-6", "seller.phone", undefined),
  at("BR-DE-3", "seller.city", undefined),
  at("BR-DE-9", "buyer.postCode", undefined),
  at("PEPPOL-EN16931-R010", "buyer.email", undefined),
  at("BR-DE-18", "terms", "#2 % in 14 days#"),
];

const IN_PEPPOL: readonly Broken[] = [
  broken(
    "a reason of another VAT category",
    "PEPPOL-EN16931-P0104",
    "$.data.reason",
    {
      lines: [{ ...workshop, vat: "E", vatRate: 0 }],
      reason: "VATEX-EU-G",
    },
    { vatExemptionReasonCode: "root.reason" },
  ),
  at("PEPPOL-COMMON-R056", "buyer.vatId", "NL123456789"),
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
  at("PEPPOL-EN16931-P0100", "type", "389"),
  broken(
    "an email address",
    "PEPPOL-EN16931-CL008",
    "$.data.scheme",
    {},
    {
      buyerElectronicAddress: "root.buyer.email",
      buyerElectronicAddressScheme: "root.scheme",
    },
  ),
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
