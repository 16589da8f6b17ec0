import {
  EINVOICE_MODEL,
  type EinvoiceProfile,
  type EinvoiceTerm,
} from "../../../core/definition/schema/einvoice-terms.js";
import type { EinvoiceMap } from "../../../core/definition/schema/einvoice-schema.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import { einvoiceDefinition } from "../../support/einvoices.js";

// Records whose fields are the terms of EN 16931, for templates that map each term to the field of its name.

const { terms, groups, lines } = EINVOICE_MODEL;
type Terms = Readonly<Record<string, EinvoiceTerm>>;
type Groups = Readonly<Record<string, { terms: Terms }>>;

function mapTerms(owner: string, given: Terms): Record<string, string> {
  return Object.fromEntries(
    Object.keys(given).map((name) => [name, `${owner}.${name}`]),
  );
}

function mapGroups(owner: string, given: Groups): Record<string, object> {
  return Object.fromEntries(
    Object.entries(given).map(([name, group]) => [
      name,
      { each: `one in ${owner}.${name}`, ...mapTerms("one", group.terms) },
    ]),
  );
}

/** Maps each term to the field of its name, and each group to the list of its name. */
const MAP: EinvoiceMap = {
  ...mapTerms("root", terms),
  ...mapGroups("root", groups),
  lines: {
    each: "line in root.lines",
    ...mapTerms("line", lines.terms),
    ...mapGroups("line", lines.groups),
  },
};

/** The name of each term as its value, where any text is allowed. */
function nameTexts(given: Terms): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, { kind }]) => kind === "text")
      .map(([name]) => [name, name]),
  );
}

const allowance = (amount: number, more: object = {}) => ({
  amount,
  baseAmount: amount * 10,
  percentage: 10,
  reason: "Discount",
  reasonCode: "95",
  ...more,
});

const INVOICE = {
  ...nameTexts(terms),
  issueDate: "2026-03-12",
  currencyCode: "EUR",
  vatAccountingCurrencyCode: "SEK",
  invoiceTotalVatAmountInAccountingCurrency: 1234.5,
  taxPointDateCode: "29",
  paymentDueDate: "2026-03-26",
  invoicedObjectIdentifierScheme: "ABT",
  businessProcessType: "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
  sellerIdentifier: "4012345000009",
  sellerIdentifierScheme: "0088",
  sellerLegalRegistrationIdentifierScheme: "0002",
  sellerVatIdentifier: "DE318504772",
  sellerElectronicAddress: "billing@seller.example",
  sellerCountryCode: "DE",
  sellerContactTelephoneNumber: "+49 30 5550148",
  sellerContactEmailAddress: "contact@seller.example",
  buyerIdentifier: "4012345000016",
  buyerIdentifierScheme: "0088",
  buyerLegalRegistrationIdentifierScheme: "0002",
  buyerVatIdentifier: "ATU12345678",
  buyerElectronicAddress: "4012345000023",
  buyerElectronicAddressScheme: "0088",
  buyerCountryCode: "Austria",
  buyerContactEmailAddress: "contact@buyer.example",
  payeeIdentifier: "4012345000030",
  payeeIdentifierScheme: "0088",
  payeeLegalRegistrationIdentifierScheme: "0002",
  sellerTaxRepresentativeVatIdentifier: "DE276119430",
  taxRepresentativeCountryCode: "DE",
  deliverToLocationIdentifier: "4012345000047",
  deliverToLocationIdentifierScheme: "0088",
  actualDeliveryDate: "2026-03-10",
  invoicingPeriodStartDate: "2026-03-01",
  invoicingPeriodEndDate: "2026-03-31",
  deliverToCountryCode: "AT",
  paymentAccountIdentifier: "DE89 3704 0044 0532 0130 00",
  paymentServiceProviderIdentifier: "COBADEFFXXX",
  paymentCardPrimaryAccountNumber: undefined,
  paymentCardHolderName: undefined,
  mandateReferenceIdentifier: undefined,
  bankAssignedCreditorIdentifier: undefined,
  debitedAccountIdentifier: undefined,
  paymentMeansTypeCode: "58",
  paidAmount: 100,
  roundingAmount: 0.01,
  vatExemptionReasonCode: "VATEX-EU-132",
  notes: [
    { noteSubjectCode: "AAI", note: "General information" },
    { note: "Without a subject" },
  ],
  precedingInvoices: [
    {
      precedingInvoiceReference: "RE-2026-0041",
      precedingInvoiceIssueDate: "2026-02-12",
    },
  ],
  documentAllowances: [allowance(5, { vatCategoryCode: "S", vatRate: 19 })],
  documentCharges: [
    {
      amount: 8,
      vatCategoryCode: "S",
      vatRate: 19,
      reason: "Freight",
      reasonCode: "FC",
    },
  ],
  supportingDocuments: [
    {
      supportingDocumentReference: "timesheet.pdf",
      supportingDocumentDescription: "The hours",
      externalDocumentLocation: "https://seller.example/timesheet.pdf",
    },
  ],
  lines: [
    {
      ...nameTexts(lines.terms),
      lineObjectIdentifierScheme: "ABT",
      invoicedQuantity: 20,
      unitOfMeasureCode: "H87",
      linePeriodStartDate: "2026-03-02",
      linePeriodEndDate: "2026-03-03",
      itemNetPrice: 90,
      itemPriceDiscount: 10,
      itemGrossPrice: 100,
      itemPriceBaseQuantity: 10,
      vatCategoryCode: "S",
      vatRate: 19,
      itemStandardIdentifier: "4012345000054",
      itemStandardIdentifierScheme: "0160",
      itemClassificationIdentifierScheme: "STI",
      itemCountryOfOrigin: "DE",
      lineAllowances: [allowance(3)],
      lineCharges: [{ amount: 2, reason: "Packing", reasonCode: "PC" }],
      itemAttributes: [
        { itemAttributeName: "Color", itemAttributeValue: "Red" },
        { itemAttributeName: "Size", itemAttributeValue: "L" },
      ],
    },
    {
      itemName: "Course",
      invoicedQuantity: 1,
      itemNetPrice: 50,
      vatCategoryCode: "E",
      vatRate: 0,
    },
  ],
};

const CARD = {
  ...INVOICE,
  paymentMeansTypeCode: "48",
  paymentAccountIdentifier: undefined,
  paymentAccountName: undefined,
  paymentServiceProviderIdentifier: undefined,
  paymentCardPrimaryAccountNumber: "**** **** **** 1234",
  paymentCardHolderName: "Mara Lindvey",
  // Instead of the code.
  taxPointDateCode: undefined,
  taxPointDate: "2026-03-11",
};

const DIRECT_DEBIT = {
  ...INVOICE,
  paymentMeansTypeCode: "59",
  paymentAccountIdentifier: undefined,
  paymentAccountName: undefined,
  paymentServiceProviderIdentifier: undefined,
  mandateReferenceIdentifier: "MANDATE-7",
  bankAssignedCreditorIdentifier: "DE98ZZZ09999999999",
  debitedAccountIdentifier: "AT611904300234573201",
};

/** The e-invoice of such a record, or its problems. */
export function createEinvoices(profile: EinvoiceProfile) {
  const program = compileTemplate(einvoiceDefinition(profile, MAP), "document");
  const options = { isTest: false, now: new Date("2026-03-12T12:00:00Z") };
  return (record: object) => program.einvoice(record, options);
}

/** Peppol has no email addresses. */
const PEPPOL = {
  ...INVOICE,
  sellerElectronicAddress: "4012345000061",
  sellerElectronicAddressScheme: "0088",
};

/** Lower profiles refuse a rounding amount, because the totals would not add up; other terms they leave out. */
const UNROUNDED = { roundingAmount: undefined };

/** Invoices with every term that their profile has. */
export const EVERY_TERM: readonly [string, EinvoiceProfile, object][] = [
  ["invoice", "xrechnung-ubl", INVOICE],
  ["credit-note", "xrechnung-ubl", { ...CARD, invoiceTypeCode: "381" }],
  ["direct-debit", "xrechnung-ubl", DIRECT_DEBIT],
  ["invoice", "xrechnung-cii", INVOICE],
  ["invoice", "peppol-bis-3", PEPPOL],
  ["card", "factur-x-en16931", CARD],
  ["direct-debit", "factur-x-extended", DIRECT_DEBIT],
  ["direct-debit", "factur-x-basic", { ...DIRECT_DEBIT, ...UNROUNDED }],
  ["invoice", "factur-x-basic-wl", { ...INVOICE, ...UNROUNDED }],
  ["invoice", "factur-x-minimum", { ...INVOICE, ...UNROUNDED }],
];
