// The business terms of EN 16931, with the names of the standard in camel case; the "BT-…" and "BG-…" are their numbers
// there.

/** What a document contains; each level includes those before it. */
export const EINVOICE_LEVELS = [
  "minimum",
  "basic-wl",
  "basic",
  "en16931",
  "extended",
] as const;
export type EinvoiceLevel = (typeof EINVOICE_LEVELS)[number];

interface ProfileFacts {
  syntax: "cii" | "ubl";
  level: EinvoiceLevel;
  /** BT-24. */
  specification: string;
  /** The conformance level of a PDF that contains the file; null for profiles that are sent without a PDF. */
  facturX: "MINIMUM" | "BASIC WL" | "BASIC" | "EN 16931" | "EXTENDED" | null;
}

const EN_16931 = "urn:cen.eu:en16931:2017";
const XRECHNUNG = `${EN_16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`;

/** The profiles of Factur-X 1.0 (ZUGFeRD 2), XRechnung 3.0 and Peppol BIS Billing 3. */
export const EINVOICE_PROFILE_NAMES = [
  "factur-x-minimum",
  "factur-x-basic-wl",
  "factur-x-basic",
  "factur-x-en16931",
  "factur-x-extended",
  "xrechnung-cii",
  "xrechnung-ubl",
  "peppol-bis-3",
] as const;

export type EinvoiceProfile = (typeof EINVOICE_PROFILE_NAMES)[number];

export const EINVOICE_PROFILES: Readonly<
  Record<EinvoiceProfile, ProfileFacts>
> = {
  "factur-x-minimum": {
    syntax: "cii",
    level: "minimum",
    specification: "urn:factur-x.eu:1p0:minimum",
    facturX: "MINIMUM",
  },
  "factur-x-basic-wl": {
    syntax: "cii",
    level: "basic-wl",
    specification: "urn:factur-x.eu:1p0:basicwl",
    facturX: "BASIC WL",
  },
  "factur-x-basic": {
    syntax: "cii",
    level: "basic",
    specification: `${EN_16931}#compliant#urn:factur-x.eu:1p0:basic`,
    facturX: "BASIC",
  },
  "factur-x-en16931": {
    syntax: "cii",
    level: "en16931",
    specification: EN_16931,
    facturX: "EN 16931",
  },
  "factur-x-extended": {
    syntax: "cii",
    level: "extended",
    specification: `${EN_16931}#conformant#urn:factur-x.eu:1p0:extended`,
    facturX: "EXTENDED",
  },
  "xrechnung-cii": {
    syntax: "cii",
    level: "en16931",
    specification: XRECHNUNG,
    facturX: null,
  },
  "xrechnung-ubl": {
    syntax: "ubl",
    level: "en16931",
    specification: XRECHNUNG,
    facturX: null,
  },
  "peppol-bis-3": {
    syntax: "ubl",
    level: "en16931",
    specification: `${EN_16931}#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0`,
    facturX: null,
  },
};

/**
 * `amount` has at most two decimals; `number` is a price or quantity; `percent` is 19 for 19 %. A `check` is an amount
 * that is calculated, and compared with the record when it is mapped.
 */
export type EinvoiceTermKind =
  "text" | "code" | "date" | "amount" | "number" | "percent" | "check";

export interface EinvoiceTerm {
  /** Its number in EN 16931. */
  id: string;
  kind: EinvoiceTermKind;
  /** The first level whose documents contain it. */
  from: EinvoiceLevel;
}

function term(
  number: number | string,
  kind: EinvoiceTermKind,
  from: EinvoiceLevel,
): EinvoiceTerm {
  return { id: `BT-${number}`, kind, from };
}

const PARTY_LEVEL = "basic-wl";

/** Terms of the invoice itself. */
const DOCUMENT_TERMS = {
  invoiceNumber: term(1, "text", "minimum"),
  issueDate: term(2, "date", "minimum"),
  invoiceTypeCode: term(3, "code", "minimum"),
  currencyCode: term(5, "code", "minimum"),
  vatAccountingCurrencyCode: term(6, "code", "basic-wl"),
  taxPointDate: term(7, "date", "en16931"),
  taxPointDateCode: term(8, "code", "basic-wl"),
  paymentDueDate: term(9, "date", "basic-wl"),
  buyerReference: term(10, "text", "minimum"),
  projectReference: term(11, "text", "en16931"),
  contractReference: term(12, "text", "basic-wl"),
  purchaseOrderReference: term(13, "text", "minimum"),
  salesOrderReference: term(14, "text", "en16931"),
  receivingAdviceReference: term(15, "text", "en16931"),
  despatchAdviceReference: term(16, "text", "basic-wl"),
  tenderOrLotReference: term(17, "text", "en16931"),
  invoicedObjectIdentifier: term(18, "text", "en16931"),
  invoicedObjectIdentifierScheme: term("18-1", "code", "en16931"),
  buyerAccountingReference: term(19, "text", "basic-wl"),
  paymentTerms: term(20, "text", "basic-wl"),
  businessProcessType: term(23, "text", "minimum"),
  // BG-4, the seller
  sellerName: term(27, "text", "minimum"),
  sellerTradingName: term(28, "text", PARTY_LEVEL),
  sellerIdentifier: term(29, "text", PARTY_LEVEL),
  sellerIdentifierScheme: term("29-1", "code", PARTY_LEVEL),
  sellerLegalRegistrationIdentifier: term(30, "text", "minimum"),
  sellerLegalRegistrationIdentifierScheme: term("30-1", "code", "minimum"),
  sellerVatIdentifier: term(31, "text", "minimum"),
  sellerTaxRegistrationIdentifier: term(32, "text", "minimum"),
  sellerAdditionalLegalInformation: term(33, "text", "en16931"),
  sellerElectronicAddress: term(34, "text", PARTY_LEVEL),
  sellerElectronicAddressScheme: term("34-1", "code", PARTY_LEVEL),
  sellerAddressLine1: term(35, "text", PARTY_LEVEL),
  sellerAddressLine2: term(36, "text", PARTY_LEVEL),
  sellerAddressLine3: term(162, "text", PARTY_LEVEL),
  sellerCity: term(37, "text", PARTY_LEVEL),
  sellerPostCode: term(38, "text", PARTY_LEVEL),
  sellerCountrySubdivision: term(39, "text", PARTY_LEVEL),
  sellerCountryCode: term(40, "code", "minimum"),
  sellerContactPoint: term(41, "text", "en16931"),
  sellerContactTelephoneNumber: term(42, "text", "en16931"),
  sellerContactEmailAddress: term(43, "text", "en16931"),
  // BG-7, the buyer
  buyerName: term(44, "text", "minimum"),
  buyerTradingName: term(45, "text", "en16931"),
  buyerIdentifier: term(46, "text", PARTY_LEVEL),
  buyerIdentifierScheme: term("46-1", "code", PARTY_LEVEL),
  buyerLegalRegistrationIdentifier: term(47, "text", "minimum"),
  buyerLegalRegistrationIdentifierScheme: term("47-1", "code", "minimum"),
  buyerVatIdentifier: term(48, "text", PARTY_LEVEL),
  buyerElectronicAddress: term(49, "text", PARTY_LEVEL),
  buyerElectronicAddressScheme: term("49-1", "code", PARTY_LEVEL),
  buyerAddressLine1: term(50, "text", PARTY_LEVEL),
  buyerAddressLine2: term(51, "text", PARTY_LEVEL),
  buyerAddressLine3: term(163, "text", PARTY_LEVEL),
  buyerCity: term(52, "text", PARTY_LEVEL),
  buyerPostCode: term(53, "text", PARTY_LEVEL),
  buyerCountrySubdivision: term(54, "text", PARTY_LEVEL),
  buyerCountryCode: term(55, "code", PARTY_LEVEL),
  buyerContactPoint: term(56, "text", "en16931"),
  buyerContactTelephoneNumber: term(57, "text", "en16931"),
  buyerContactEmailAddress: term(58, "text", "en16931"),
  // BG-10, the payee, and BG-11, the seller's tax representative
  payeeName: term(59, "text", PARTY_LEVEL),
  payeeIdentifier: term(60, "text", PARTY_LEVEL),
  payeeIdentifierScheme: term("60-1", "code", PARTY_LEVEL),
  payeeLegalRegistrationIdentifier: term(61, "text", PARTY_LEVEL),
  payeeLegalRegistrationIdentifierScheme: term("61-1", "code", PARTY_LEVEL),
  sellerTaxRepresentativeName: term(62, "text", PARTY_LEVEL),
  sellerTaxRepresentativeVatIdentifier: term(63, "text", PARTY_LEVEL),
  taxRepresentativeAddressLine1: term(64, "text", PARTY_LEVEL),
  taxRepresentativeAddressLine2: term(65, "text", PARTY_LEVEL),
  taxRepresentativeAddressLine3: term(164, "text", PARTY_LEVEL),
  taxRepresentativeCity: term(66, "text", PARTY_LEVEL),
  taxRepresentativePostCode: term(67, "text", PARTY_LEVEL),
  taxRepresentativeCountrySubdivision: term(68, "text", PARTY_LEVEL),
  taxRepresentativeCountryCode: term(69, "code", PARTY_LEVEL),
  // BG-13, the delivery
  deliverToPartyName: term(70, "text", PARTY_LEVEL),
  deliverToLocationIdentifier: term(71, "text", PARTY_LEVEL),
  deliverToLocationIdentifierScheme: term("71-1", "code", PARTY_LEVEL),
  actualDeliveryDate: term(72, "date", PARTY_LEVEL),
  invoicingPeriodStartDate: term(73, "date", PARTY_LEVEL),
  invoicingPeriodEndDate: term(74, "date", PARTY_LEVEL),
  deliverToAddressLine1: term(75, "text", PARTY_LEVEL),
  deliverToAddressLine2: term(76, "text", PARTY_LEVEL),
  deliverToAddressLine3: term(165, "text", PARTY_LEVEL),
  deliverToCity: term(77, "text", PARTY_LEVEL),
  deliverToPostCode: term(78, "text", PARTY_LEVEL),
  deliverToCountrySubdivision: term(79, "text", PARTY_LEVEL),
  deliverToCountryCode: term(80, "code", PARTY_LEVEL),
  // BG-16, the payment
  paymentMeansTypeCode: term(81, "code", "basic-wl"),
  paymentMeansText: term(82, "text", "en16931"),
  remittanceInformation: term(83, "text", "basic-wl"),
  paymentAccountIdentifier: term(84, "text", "basic-wl"),
  paymentAccountName: term(85, "text", "en16931"),
  paymentServiceProviderIdentifier: term(86, "text", "en16931"),
  paymentCardPrimaryAccountNumber: term(87, "text", "en16931"),
  paymentCardHolderName: term(88, "text", "en16931"),
  mandateReferenceIdentifier: term(89, "text", "basic-wl"),
  bankAssignedCreditorIdentifier: term(90, "text", "basic-wl"),
  debitedAccountIdentifier: term(91, "text", "basic-wl"),
  // BG-22, the totals
  sumOfInvoiceLineNetAmount: term(106, "check", "minimum"),
  sumOfAllowancesOnDocumentLevel: term(107, "check", "minimum"),
  sumOfChargesOnDocumentLevel: term(108, "check", "minimum"),
  invoiceTotalAmountWithoutVat: term(109, "check", "minimum"),
  invoiceTotalVatAmount: term(110, "check", "minimum"),
  invoiceTotalVatAmountInAccountingCurrency: term(111, "amount", "basic-wl"),
  invoiceTotalAmountWithVat: term(112, "check", "minimum"),
  paidAmount: term(113, "amount", "minimum"),
  roundingAmount: term(114, "amount", "minimum"),
  amountDueForPayment: term(115, "check", "minimum"),
  // BG-23: why no VAT is charged
  vatExemptionReason: term(120, "text", "basic-wl"),
  vatExemptionReasonCode: term(121, "code", "basic-wl"),
};

/** Allowances and charges of the invoice. Without a VAT rate, one is divided among the rates of the lines. */
function allowanceTerms(first: number) {
  return {
    amount: term(first, "amount", "minimum"),
    baseAmount: term(first + 1, "amount", "minimum"),
    percentage: term(first + 2, "percent", "minimum"),
    vatCategoryCode: term(first + 3, "code", "minimum"),
    vatRate: term(first + 4, "percent", "minimum"),
    reason: term(first + 5, "text", "minimum"),
    reasonCode: term(first + 6, "code", "minimum"),
  };
}

function lineAllowanceTerms(first: number) {
  return {
    amount: term(first, "amount", "minimum"),
    baseAmount: term(first + 1, "amount", "minimum"),
    percentage: term(first + 2, "percent", "minimum"),
    reason: term(first + 3, "text", "minimum"),
    reasonCode: term(first + 4, "code", "minimum"),
  };
}

/** Terms of an invoice line. Documents without lines are calculated from them too. */
const LINE_TERMS = {
  lineIdentifier: term(126, "text", "basic"),
  lineNote: term(127, "text", "basic"),
  lineObjectIdentifier: term(128, "text", "en16931"),
  lineObjectIdentifierScheme: term("128-1", "code", "en16931"),
  invoicedQuantity: term(129, "number", "minimum"),
  unitOfMeasureCode: term(130, "code", "basic"),
  lineNetAmount: term(131, "check", "minimum"),
  purchaseOrderLineReference: term(132, "text", "en16931"),
  lineBuyerAccountingReference: term(133, "text", "en16931"),
  linePeriodStartDate: term(134, "date", "basic"),
  linePeriodEndDate: term(135, "date", "basic"),
  itemNetPrice: term(146, "number", "minimum"),
  itemPriceDiscount: term(147, "number", "minimum"),
  itemGrossPrice: term(148, "number", "minimum"),
  itemPriceBaseQuantity: term(149, "number", "minimum"),
  vatCategoryCode: term(151, "code", "minimum"),
  vatRate: term(152, "percent", "minimum"),
  itemName: term(153, "text", "basic"),
  itemDescription: term(154, "text", "en16931"),
  itemSellersIdentifier: term(155, "text", "en16931"),
  itemBuyersIdentifier: term(156, "text", "en16931"),
  itemStandardIdentifier: term(157, "text", "basic"),
  itemStandardIdentifierScheme: term("157-1", "code", "basic"),
  itemClassificationIdentifier: term(158, "text", "en16931"),
  itemClassificationIdentifierScheme: term("158-1", "code", "en16931"),
  itemCountryOfOrigin: term(159, "code", "en16931"),
};

export interface EinvoiceGroup {
  id: string;
  terms: Readonly<Record<string, EinvoiceTerm>>;
}

/** Groups of terms that an invoice may have several times. */
const DOCUMENT_GROUPS = {
  notes: {
    id: "BG-1",
    terms: {
      noteSubjectCode: term(21, "code", "basic-wl"),
      note: term(22, "text", "basic-wl"),
    },
  },
  precedingInvoices: {
    id: "BG-3",
    terms: {
      precedingInvoiceReference: term(25, "text", "basic-wl"),
      precedingInvoiceIssueDate: term(26, "date", "basic-wl"),
    },
  },
  documentAllowances: { id: "BG-20", terms: allowanceTerms(92) },
  documentCharges: { id: "BG-21", terms: allowanceTerms(99) },
  vatBreakdown: {
    id: "BG-23",
    terms: {
      vatCategoryTaxableAmount: term(116, "check", "minimum"),
      vatCategoryTaxAmount: term(117, "check", "minimum"),
      vatCategoryCode: term(118, "code", "minimum"),
      vatCategoryRate: term(119, "percent", "minimum"),
    },
  },
  supportingDocuments: {
    id: "BG-24",
    terms: {
      supportingDocumentReference: term(122, "text", "en16931"),
      supportingDocumentDescription: term(123, "text", "en16931"),
      externalDocumentLocation: term(124, "text", "en16931"),
    },
  },
} as const satisfies Record<string, EinvoiceGroup>;

/** Groups of terms that a line may have several times. */
const LINE_GROUPS = {
  lineAllowances: { id: "BG-27", terms: lineAllowanceTerms(136) },
  lineCharges: { id: "BG-28", terms: lineAllowanceTerms(141) },
  itemAttributes: {
    id: "BG-32",
    terms: {
      itemAttributeName: term(160, "text", "en16931"),
      itemAttributeValue: term(161, "text", "en16931"),
    },
  },
} as const satisfies Record<string, EinvoiceGroup>;

/** All business terms and groups. */
export const EINVOICE_MODEL = {
  terms: DOCUMENT_TERMS,
  groups: DOCUMENT_GROUPS,
  lines: { id: "BG-25", terms: LINE_TERMS, groups: LINE_GROUPS },
} as const;

export type DocumentTerm = keyof typeof DOCUMENT_TERMS;
export type LineTerm = keyof typeof LINE_TERMS;
