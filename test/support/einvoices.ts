import { readFileSync } from "node:fs";
import { fc } from "./properties.js";
import type { EinvoiceMap } from "../../core/definition/schema/einvoice-schema.js";
import type { EinvoiceProfile } from "../../core/definition/schema/einvoice-terms.js";
import type { ProjectData } from "../../core/definition/index.js";

// Invoices of every kind, as records of a template that maps all that they have.

/** Maps every field of `invoiceRecords`. */
const MAP: EinvoiceMap = JSON.parse(
  readFileSync(new URL("einvoice-map.json", import.meta.url), "utf8"),
);

/** Peppol knows no email addresses. */
const PEPPOL_ADDRESSES: EinvoiceMap = {
  sellerElectronicAddress: "root.seller.gln",
  sellerElectronicAddressScheme: '"0088"',
  buyerElectronicAddress: "root.buyer.gln",
  buyerElectronicAddressScheme: '"0088"',
};

/** A template of this profile for the records below. */
export function einvoiceDefinition(
  profile: EinvoiceProfile,
  changes: EinvoiceMap = {},
): ProjectData {
  const addresses = profile === "peppol-bis-3" ? PEPPOL_ADDRESSES : {};
  return {
    schema: [{ id: "root", fields: [] }],
    currency: "EUR",
    locale: "de-DE",
    components: [{ type: "text", text: "Invoice {{ root.number }}" }],
    einvoice: { profile, map: { ...MAP, ...addresses, ...changes } },
  };
}

/** A record that every profile accepts. */
export const INVOICE = {
  number: "RE-2026-0042",
  issuedOn: "2026-03-12",
  dueOn: "2026-03-26",
  buyerReference: "04011000-12345-34",
  seller: {
    name: "Lindvey & Söhne GmbH",
    vatId: "DE 318 504 772",
    taxNumber: "37/123/45678",
    street: "Oranienstraße 25",
    city: "Berlin",
    postCode: "10999",
    country: "DE",
    contact: "Mara Lindvey",
    phone: "+49 30 5550148",
    email: "billing@lindvey.example",
    gln: "4012345000009",
  },
  buyer: {
    name: "Meridian Coffee Roasters KG",
    vatId: "DE276119430",
    street: "Hongkongstraße 7",
    city: "Hamburg",
    postCode: "20457",
    country: "Germany",
    email: "invoices@meridian.example",
    gln: "4012345000016",
  },
  bank: { iban: "DE89 3704 0044 0532 0130 00", bic: "COBADEFFXXX" },
  deliveredOn: "2026-03-10",
  lines: [
    { name: "Workshop", quantity: 2, unit: "days", price: 1450, vatRate: 19 },
    { name: "Brand book", quantity: 150, unit: "H87", price: 18.4, vatRate: 7 },
  ],
};

const words = fc.constantFrom(
  "Workshop",
  "Kaffeeröster „Größe L“ & Zubehör",
  "Câble <1,5 m>",
  "Consulting",
  "Lizenz",
  "数据服务",
  "Item\twith\ntwo lines",
);
const cents = (max: number) =>
  fc.integer({ min: 1, max: max * 100 }).map((value) => value / 100);
const optional = <T>(value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined });

interface Scenario {
  vat: fc.Arbitrary<{ vat?: string; vatRate?: number }>;
  record: object;
}

const rate = (vatRate: number, vat?: string) => ({
  vatRate,
  ...(vat !== undefined && { vat }),
});
const foreignBuyer = {
  name: "Kaffebar Øst ApS",
  vatId: "ATU12345678",
  street: "Kärntner Straße 1",
  city: "Wien",
  postCode: "1010",
  country: "AT",
  email: "rechnung@kaffebar.example",
  gln: "9012345000004",
};

/** Several rates; no VAT for each of its reasons. */
const SCENARIOS: readonly Scenario[] = [
  { vat: fc.constantFrom(rate(19), rate(7)), record: {} },
  {
    vat: fc.constantFrom(rate(20), rate(10), rate(5.5), rate(2.1)),
    record: {},
  },
  { vat: fc.constant(rate(19)), record: {} },
  {
    vat: fc.constantFrom(rate(19), rate(0, "E"), rate(0, "Z")),
    record: { exemption: "Steuerfrei nach § 4 Nr. 21 UStG" },
  },
  {
    vat: fc.constant(rate(0, "E")),
    record: { exemption: "Kleinunternehmer nach § 19 UStG" },
  },
  { vat: fc.constant(rate(0, "AE")), record: { buyer: foreignBuyer } },
  {
    vat: fc.constant(rate(0, "K")),
    record: {
      buyer: foreignBuyer,
      delivery: {
        street: "Kärntner Straße 1",
        city: "Wien",
        postCode: "1010",
        country: "Austria",
      },
    },
  },
  {
    vat: fc.constant(rate(0, "G")),
    record: {
      buyer: {
        ...foreignBuyer,
        vatId: undefined,
        country: "Switzerland",
        city: "Zürich",
        postCode: "8001",
      },
    },
  },
  {
    vat: fc.constant({ vat: "O" }),
    record: {
      seller: { ...INVOICE.seller, vatId: undefined, register: "HRB 214806 B" },
      buyer: { ...INVOICE.buyer, vatId: undefined },
    },
  },
];

const price = fc.oneof(
  cents(5000),
  fc.integer({ min: 0, max: 99_999 }).map((value) => value / 10_000),
);

const lineOf = ({ vat }: Scenario) =>
  fc
    .record({
      vat,
      name: words,
      description: optional(words),
      quantity: fc.oneof(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 99_999 }).map((value) => value / 1000),
        fc.integer({ min: -20, max: -1 }),
      ),
      unit: fc.constantFrom("Stück", "HUR", "days", "kg", undefined),
      cost: fc.oneof(
        price.map((value) => ({ price: value })),
        fc.tuple(cents(500), cents(5)).map(([gross, less]) => ({
          grossPrice: Math.round((gross + 5) * 100) / 100,
          priceDiscount: less,
        })),
      ),
      per: fc.constantFrom(undefined, undefined, 3, 100),
      sku: optional(fc.constant("SKU-1")),
      gtin: optional(fc.constant("4012345678901")),
      note: optional(words),
      allowances: fc.array(
        fc.oneof(
          fc.record({ amount: cents(5), reason: fc.constant("Rabatt") }),
          fc.record({
            percentage: fc.constantFrom(3, 12.5, 33.33),
            reason: fc.constant("Treuerabatt"),
          }),
        ),
        { maxLength: 2 },
      ),
      charges: fc.array(
        fc.record({ amount: cents(9), reason: fc.constant("Verpackung") }),
        { maxLength: 1 },
      ),
      attributes: fc.array(
        fc.record({ name: fc.constant("Farbe"), value: words }),
        { maxLength: 2 },
      ),
    })
    .map(({ vat: kind, cost, ...line }) => ({ ...line, ...kind, ...cost }));

const invoiceOf = (scenario: Scenario) =>
  fc
    .record({
      lines: fc.array(lineOf(scenario), { minLength: 1, maxLength: 8 }),
      allowances: fc.array(
        fc.oneof(
          fc.record({ amount: cents(50), reason: fc.constant("Rabatt") }),
          fc.record({
            percentage: fc.constantFrom(2, 5, 7.5),
            code: fc.constant("95"),
          }),
        ),
        { maxLength: 2 },
      ),
      charges: fc.array(
        fc.record({ amount: cents(30), reason: fc.constant("Versand") }),
        { maxLength: 1 },
      ),
      paid: optional(cents(100)),
      notes: fc.array(fc.record({ text: words }), { maxLength: 2 }),
      order: optional(fc.constant("PO-4711")),
      salesOrder: optional(fc.constant("SO-12")),
      contract: optional(fc.constant("C-7")),
      project: optional(fc.constant("P-3")),
      terms: fc.constantFrom(
        undefined,
        "Zahlbar ohne Abzug",
        "#SKONTO#TAGE=14#PROZENT=2.00#",
        "#SKONTO#TAGE=7#PROZENT=3.00#\nDanach ohne Abzug",
      ),
      period: optional(fc.constant({ start: "2026-02-01", end: "2026-02-28" })),
      debit: fc.constantFrom(undefined, undefined, {
        mandate: "M-1",
        creditor: "DE98ZZZ09999999999",
        iban: "DE02120300000000202051",
      }),
      preceding: fc.constantFrom(
        [],
        [{ invoice: "RE-2026-0001", issuedOn: "2026-01-02" }],
      ),
      files: fc.constantFrom(
        [],
        [{ name: "Aufmaß", url: "https://files.example/1.pdf" }],
      ),
      type: fc.constantFrom(undefined, undefined, "380", "381"),
    })
    .map((generated) => ({ ...INVOICE, ...scenario.record, ...generated }));

/** Valid invoices: discounts, charges, several VAT rates, reverse charge, prepayments, rounding. */
export const invoiceRecords = fc.oneof(...SCENARIOS.map(invoiceOf));
