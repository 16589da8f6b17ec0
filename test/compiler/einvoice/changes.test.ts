import { expect } from "chai";
import { describe, it } from "mocha";
import { expectRecorded } from "../support.js";
import { createEinvoices } from "./invoices.js";

// What changes of a valid invoice make of it in each profile is in changes.txt.

/** Valid in every profile. */
const VALID = {
  invoiceNumber: "RE-2026-0042",
  issueDate: "2026-03-12",
  paymentDueDate: "2026-03-26",
  buyerReference: "04011000-12345-34",
  sellerName: "Lindvey GmbH",
  sellerVatIdentifier: "DE318504772",
  sellerElectronicAddress: "4012345000009",
  sellerElectronicAddressScheme: "0088",
  sellerCity: "Berlin",
  sellerPostCode: "10999",
  sellerCountryCode: "DE",
  sellerContactPoint: "Mara Lindvey",
  sellerContactTelephoneNumber: "+49 30 5550148",
  sellerContactEmailAddress: "billing@lindvey.example",
  buyerName: "Meridian Coffee Roasters KG",
  buyerVatIdentifier: "DE276119430",
  buyerElectronicAddress: "4012345000016",
  buyerElectronicAddressScheme: "0088",
  buyerCity: "Hamburg",
  buyerPostCode: "20457",
  buyerCountryCode: "DE",
  paymentAccountIdentifier: "DE89370400440532013000",
  actualDeliveryDate: "2026-03-10",
};
const LINE = {
  itemName: "Workshop",
  invoicedQuantity: 2,
  itemNetPrice: 1450,
  vatRate: 19,
};

const line = (...changes: object[]) => ({
  lines: changes.map((change) => ({ ...LINE, ...change })),
});
const allowance = (change: object) => ({
  documentAllowances: [{ reason: "Discount", ...change }],
});
const charge = (change: object) => ({
  documentCharges: [{ reason: "Freight", ...change }],
});
const lineAllowance = (change: object) =>
  line({ lineAllowances: [{ reason: "Discount", ...change }] });
const lineCharge = (change: object) =>
  line({ lineCharges: [{ reason: "Packing", ...change }] });
const none = (...terms: string[]) =>
  Object.fromEntries(terms.map((term) => [term, null]));
const scheme = (owner: string, code: string, text: string) => ({
  [owner]: text,
  [`${owner}Scheme`]: code,
});

const LONG =
  "Text that is longer than sixty characters without its spaces, as no code is";
const ABROAD = { buyerCountryCode: "AT", buyerVatIdentifier: "ATU12345678" };
const AGENT = {
  sellerTaxRepresentativeName: "Agence",
  sellerTaxRepresentativeVatIdentifier: "FR12345678901",
  taxRepresentativeCountryCode: "FR",
};
const OUTSIDE_OF_VAT = {
  ...none("sellerVatIdentifier", "buyerVatIdentifier"),
  sellerLegalRegistrationIdentifier: "HRB 1",
  ...line({ vatCategoryCode: "O", vatRate: null }),
};
const DEBIT = {
  paymentAccountIdentifier: null,
  mandateReferenceIdentifier: "MANDATE-7",
  bankAssignedCreditorIdentifier: "DE98ZZZ09999999999",
  debitedAccountIdentifier: "AT611904300234573201",
};
const SKONTO = "#SKONTO#TAGE=14#PROZENT=2.00#";

/** The check digits are right where only one of these is accepted. */
const PEPPOL_IDENTIFIERS: Readonly<Record<string, readonly string[]>> = {
  "0007": ["5567321707", "5567321708", "55673217071", "556732170"],
  "0088": ["4012345000016", "4012345000017", "4012345 000012"],
  "0096": ["1234567890", "12345678901", "123456789"],
  "0106": ["12345678", "123456789", "1234567"],
  "0151": ["51824753556", "51824753557", "5182475355", "518247535561"],
  "0184": ["12345678", "DK12345678", "DK1234567", "123456789", "XK12345678"],
  "0190": ["00000001234567890000", "0000000123456789000"],
  "0192": ["974760673", "974760674", "000000000", "97476067"],
  "0198": ["DK12345678", "12345678", "DK123456789"],
  "0208": ["0202239951", "0202239952", "202239951"],
  "0217": ["123456789012", "12345678901"],
  "9944": ["NL123456789B01", "NL123456789", "NL123456789B012"],
};

const CHANGES: readonly object[] = [
  {},
  // The invoice
  none("invoiceNumber"),
  { invoiceNumber: " " },
  none("issueDate"),
  { issueDate: "12.03.2026" },
  { issueDate: 7 },
  { issueDate: "2026-03-12T23:30:00Z" },
  { businessProcessType: "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0" },
  { businessProcessType: LONG },
  { businessProcessType: "x urn:fdc:peppol.eu:2017:poacc:billing:01:1.0" },
  { businessProcessType: "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0 x" },
  { issueDate: "soon", invoiceTotalAmountWithVat: 1 },
  { paidAmount: "soon", invoiceTotalAmountWithVat: 1 },
  { invoiceTypeCode: "INV" },
  { invoiceTypeCode: LONG },
  { invoiceTypeCode: "381" },
  { invoiceTypeCode: "326" },
  { invoiceTypeCode: "326", ...ABROAD },
  { invoiceTypeCode: "384" },
  { invoiceTypeCode: "384", ...ABROAD },
  {
    invoiceTypeCode: "384",
    precedingInvoices: [{ precedingInvoiceReference: "RE-1" }],
  },
  ...["389", "875", "876", "877", "780"].map((invoiceTypeCode) => ({
    invoiceTypeCode,
  })),
  { currencyCode: "Euro" },
  { currencyCode: "eur" },
  { vatAccountingCurrencyCode: "USD" },
  {
    vatAccountingCurrencyCode: "Dollar",
    invoiceTotalVatAmountInAccountingCurrency: 600,
  },
  {
    vatAccountingCurrencyCode: "EUR",
    invoiceTotalVatAmountInAccountingCurrency: 553.58,
  },
  {
    vatAccountingCurrencyCode: "USD",
    invoiceTotalVatAmountInAccountingCurrency: -600,
  },
  {
    vatAccountingCurrencyCode: "USD",
    invoiceTotalVatAmountInAccountingCurrency: 0,
  },
  { invoiceTotalVatAmountInAccountingCurrency: -600 },
  { taxPointDate: "2026-03-11", taxPointDateCode: "29" },
  { taxPointDateCode: "7" },
  ...["3", "35", "432", "5", "29", "72"].map((taxPointDateCode) => ({
    taxPointDateCode,
  })),
  none("paymentDueDate"),
  { paymentDueDate: null, paymentTerms: "At once" },
  { paymentDueDate: null, paidAmount: 3451 },
  { paymentTerms: SKONTO },
  { paymentTerms: `${SKONTO}\n${SKONTO}\nWithout a discount then` },
  { paymentTerms: "#SKONTO#TAGE=14#PROZENT=2.00#BASISBETRAG=-100.00#" },
  { paymentTerms: "#SKONTO#TAGE=14#PROZENT=2.00#BASISBETRAG=100.00#" },
  { paymentTerms: `Text\r\n  ${SKONTO}  \nText` },
  { paymentTerms: `${SKONTO}\nOrder #12# only` },
  { paymentTerms: `Order #12\n${SKONTO}` },
  { paymentTerms: "#2 % in 14 days#" },
  { paymentTerms: "#SKONTO#TAGE=14#PROZENT=2.0#" },
  { paymentTerms: `${SKONTO} x` },
  none("buyerReference"),
  { buyerReference: null, ...ABROAD },
  { buyerReference: null, purchaseOrderReference: "PO-1", ...ABROAD },
  scheme("invoicedObjectIdentifier", "ABZ", "7"),
  scheme("invoicedObjectIdentifier", "XYZW", "7"),
  { currencyCode: null },
  // The seller
  { sellerName: 'A & B <"1"> \u0001\ud800\ufffe ☕ ]]>' },
  { sellerPostCode: "D02 XY45", sellerCity: " Dublin \n 2 " },
  { sellerVatIdentifier: "de 318 504 772" },
  { sellerName: " " },
  none("sellerCountryCode"),
  { sellerCountryCode: "Atlantis" },
  { sellerCountryCode: LONG },
  { sellerCountryCode: "Deutschland" },
  { sellerCountryCode: "de" },
  { sellerCountryCode: "UK" },
  { sellerCountryCode: "el" },
  none("sellerVatIdentifier"),
  { sellerVatIdentifier: null, sellerIdentifier: "7" },
  { sellerVatIdentifier: null, sellerLegalRegistrationIdentifier: "HRB 1" },
  {
    sellerVatIdentifier: null,
    sellerIdentifier: "7",
    sellerTaxRegistrationIdentifier: "37/123/45678",
  },
  { sellerVatIdentifier: null, sellerIdentifier: "7", ...AGENT },
  ...["Z", "E", "L", "M", "AE", "K", "G"].map((vatCategoryCode) => ({
    sellerVatIdentifier: null,
    sellerIdentifier: "7",
    vatExemptionReason: "§ 4",
    deliverToCountryCode: "AT",
    deliverToCity: "Wien",
    deliverToPostCode: "1010",
    ...line({ vatCategoryCode, vatRate: /[LM]/.test(vatCategoryCode) ? 7 : 0 }),
  })),
  {
    sellerVatIdentifier: null,
    sellerIdentifier: "7",
    ...AGENT,
    ...line({ vatCategoryCode: "G", vatRate: 0 }),
  },
  { sellerVatIdentifier: "318504772" },
  { sellerVatIdentifier: LONG },
  { sellerVatIdentifier: "EL123456789" },
  { sellerVatIdentifier: "NL123456789" },
  { sellerVatIdentifier: "NL123456789B01" },
  scheme("sellerIdentifier", "0088", "4012345000009"),
  scheme("sellerIdentifier", "0088", "4012345000008"),
  scheme("sellerIdentifier", "XYZ", "7"),
  scheme("sellerLegalRegistrationIdentifier", "0106", "1234567"),
  scheme("sellerLegalRegistrationIdentifier", "XYZ", "7"),
  none("sellerElectronicAddress", "sellerElectronicAddressScheme"),
  none("sellerElectronicAddressScheme"),
  scheme("sellerElectronicAddress", "XYZ", "7"),
  scheme("sellerElectronicAddress", "0088", "4012345000008"),
  scheme("sellerElectronicAddress", "", "billing@lindvey.example"),
  none("sellerCity", "sellerPostCode"),
  none("sellerContactPoint"),
  none("sellerContactTelephoneNumber"),
  { sellerContactTelephoneNumber: "ext. 12" },
  { sellerContactTelephoneNumber: "ext. 123" },
  none("sellerContactEmailAddress"),
  ...[LONG, "a@b", "ab@cd", "a@b@example.org", ".@example.org", "a.@b.org"].map(
    (sellerContactEmailAddress) => ({ sellerContactEmailAddress }),
  ),
  // The buyer
  none("buyerName"),
  none("buyerCountryCode"),
  { buyerCountryCode: "Atlantis" },
  { buyerVatIdentifier: "276119430" },
  { buyerVatIdentifier: "NL123456789" },
  scheme("buyerIdentifier", "0088", "4012345000008"),
  scheme("buyerIdentifier", "XYZ", "7"),
  scheme("buyerLegalRegistrationIdentifier", "0106", "1234567"),
  scheme("buyerLegalRegistrationIdentifier", "XYZ", "7"),
  none("buyerElectronicAddress", "buyerElectronicAddressScheme"),
  none("buyerElectronicAddressScheme"),
  scheme("buyerElectronicAddress", "XYZ", "7"),
  ...Object.entries(PEPPOL_IDENTIFIERS).flatMap(([code, texts]) =>
    texts.map((text) => scheme("buyerElectronicAddress", code, text)),
  ),
  none("buyerCity"),
  none("buyerPostCode"),
  { ...none("buyerCity", "buyerPostCode"), ...ABROAD },
  { sellerCountryCode: "AT", buyerCity: null },
  // The payee, the tax representative and the delivery
  scheme("payeeIdentifier", "0088", "4012345000030"),
  scheme("payeeLegalRegistrationIdentifier", "0106", "12345678"),
  {
    payeeName: "Factor",
    ...scheme("payeeIdentifier", "0088", "4012345000031"),
    ...scheme("payeeLegalRegistrationIdentifier", "0106", "1234567"),
  },
  {
    payeeName: "Factor",
    ...scheme("payeeIdentifier", "XYZ", "7"),
    ...scheme("payeeLegalRegistrationIdentifier", "XYZ", "8"),
  },
  {
    payeeName: "Factor",
    payeeIdentifier: "7",
    sellerIdentifier: "7",
    payeeLegalRegistrationIdentifier: "8",
    sellerLegalRegistrationIdentifier: "8",
  },
  { payeeName: VALID.sellerName, payeeIdentifier: "7", sellerIdentifier: "7" },
  AGENT,
  ...Object.keys(AGENT).map((term) => ({ ...AGENT, [term]: null })),
  ...[
    "taxRepresentativeAddressLine1",
    "taxRepresentativeAddressLine2",
    "taxRepresentativeAddressLine3",
    "taxRepresentativeCity",
    "taxRepresentativePostCode",
    "taxRepresentativeCountrySubdivision",
  ].map((term) => ({ [term]: "x" })),
  { ...AGENT, sellerTaxRepresentativeVatIdentifier: "12345678901" },
  { ...AGENT, taxRepresentativeCountryCode: "Atlantis" },
  scheme("deliverToLocationIdentifier", "XYZ", "7"),
  ...[
    "deliverToAddressLine1",
    "deliverToAddressLine2",
    "deliverToAddressLine3",
    "deliverToCity",
    "deliverToPostCode",
    "deliverToCountrySubdivision",
  ].map((term) => ({ [term]: "x" })),
  { deliverToCountryCode: "Atlantis" },
  { deliverToCountryCode: "AT" },
  {
    invoicingPeriodStartDate: "2026-03-02",
    invoicingPeriodEndDate: "2026-03-01",
  },
  {
    invoicingPeriodStartDate: "2026-03-01",
    invoicingPeriodEndDate: "2026-03-01",
  },
  // The payment
  none("paymentAccountIdentifier"),
  { paymentMeansTypeCode: "999" },
  { paymentMeansTypeCode: "10" },
  ...["30", "58", "48", "54", "55", "49", "59"].map((paymentMeansTypeCode) => ({
    paymentMeansTypeCode,
    paymentAccountIdentifier: null,
  })),
  { paymentMeansTypeCode: "58", paymentAccountIdentifier: LONG },
  {
    paymentMeansTypeCode: "58",
    paymentAccountIdentifier: "DE88370400440532013000",
  },
  { paymentAccountIdentifier: "DE88370400440532013000" },
  {
    paymentAccountIdentifier: null,
    paymentCardPrimaryAccountNumber: "**** 0123456789",
    paymentCardHolderName: "Mara",
  },
  { paymentCardPrimaryAccountNumber: "•••• XXXX …-1234" },
  {
    paymentAccountIdentifier: null,
    paymentCardPrimaryAccountNumber: "01234567890",
  },
  DEBIT,
  ...Object.keys(DEBIT)
    .slice(1)
    .map((term) => ({ ...DEBIT, [term]: null })),
  { ...DEBIT, debitedAccountIdentifier: LONG },
  { roundingAmount: 0.01 },
  { roundingAmount: 0 },
  { paidAmount: 1.005 },
  { paidAmount: 0.1 + 0.2 },
  { paidAmount: "10.5" },
  {
    paymentAccountIdentifier: "de89 3704 0044 0532 0130 00",
    paymentServiceProviderIdentifier: "cobadeff xxx",
    paymentAccountName: "Lindvey",
    paymentMeansText: "Transfer",
    remittanceInformation: "RE 42",
  },
  { paymentAccountIdentifier: "12 345 678 x" },
  { paymentMeansTypeCode: "10", paymentAccountIdentifier: null },
  {
    ...DEBIT,
    mandateReferenceIdentifier: null,
    bankAssignedCreditorIdentifier: null,
  },
  { paidAmount: "ten" },
  // VAT
  { vatExemptionReasonCode: "VATEX-EU-XYZ" },
  line({ vatCategoryCode: "E", vatRate: 0 }),
  {
    vatExemptionReason: "§ 4",
    ...line({ vatCategoryCode: "E", vatRate: 0 }),
  },
  ...["AE", "K", "G", "D", "F", "I", "J", "IC", "O", "132"].map((reason) => ({
    vatExemptionReasonCode: `VATEX-EU-${reason}`,
    ...line({ vatCategoryCode: "E", vatRate: 0 }),
  })),
  {
    vatExemptionReasonCode: "VATEX-EU-G",
    ...line(
      { vatCategoryCode: "E", vatRate: 0 },
      { vatCategoryCode: "AE", vatRate: 0 },
    ),
  },
  {
    vatExemptionReason: "Own words",
    ...line({ vatCategoryCode: "AE", vatRate: 0 }),
  },
  {
    vatExemptionReasonCode: "VATEX-EU-AE",
    ...line({ vatCategoryCode: "AE", vatRate: 0 }),
  },
  {
    vatExemptionReason: "Own words",
    ...line(
      { vatCategoryCode: "AE", vatRate: 0 },
      { vatCategoryCode: "G", vatRate: 0 },
      { vatCategoryCode: "Z", vatRate: 0 },
    ),
  },
  {
    vatExemptionReason: "Own words",
    ...line({ vatCategoryCode: "E", vatRate: 0 }, {}),
  },
  line({ vatCategoryCode: "AE" }),
  line({ vatCategoryCode: "AE", vatRate: null }),
  {
    buyerVatIdentifier: null,
    ...line({ vatCategoryCode: "AE", vatRate: 0 }),
  },
  {
    buyerVatIdentifier: null,
    buyerLegalRegistrationIdentifier: "HRB 2",
    ...line({ vatCategoryCode: "AE", vatRate: 0 }),
  },
  {
    ...none("buyerVatIdentifier", "actualDeliveryDate"),
    ...line({ vatCategoryCode: "K", vatRate: 0 }),
  },
  ...["invoicingPeriodStartDate", "invoicingPeriodEndDate"].map((term) => ({
    actualDeliveryDate: null,
    [term]: "2026-03-01",
    deliverToCity: "Wien",
    deliverToPostCode: "1010",
    deliverToCountryCode: "AT",
    ...line({ vatCategoryCode: "K", vatRate: 0 }),
  })),
  OUTSIDE_OF_VAT,
  { ...OUTSIDE_OF_VAT, sellerVatIdentifier: "DE318504772" },
  { ...OUTSIDE_OF_VAT, buyerVatIdentifier: "DE276119430" },
  { ...OUTSIDE_OF_VAT, ...AGENT },
  line({ vatCategoryCode: "O", vatRate: null }, { vatRate: 7 }),
  line({ vatCategoryCode: LONG }),
  ...["S", "L", "Z", "G"].flatMap((vatCategoryCode) =>
    [0, 7].map((vatRate) => line({ vatCategoryCode, vatRate })),
  ),
  line({ vatRate: 0 }),
  line({ vatRate: null }),
  line({ vatRate: -1 }),
  line({ vatRate: 0.99 }),
  line({ vatRate: 1 }),
  line({ vatRate: "19 %" }),
  // Groups
  { lines: [] },
  { notes: [{ noteSubjectCode: "AAI" }, {}, { note: " " }] },
  { notes: [{ note: "x", noteSubjectCode: "XYZ" }] },
  { precedingInvoices: [{ precedingInvoiceIssueDate: "2026-01-01" }] },
  { supportingDocuments: [{ supportingDocumentDescription: "Hours" }] },
  ...[allowance, charge, lineAllowance, lineCharge].flatMap((make) => [
    make({ amount: 5 }),
    make({}),
    make({ amount: -5 }),
    make({ amount: 5, reason: null }),
    make({ amount: 5, reason: null, reasonCode: "95" }),
    make({ amount: 5, reason: null, reasonCode: "FC" }),
    make({ amount: 5, reasonCode: LONG }),
    make({ percentage: 5 }),
    make({ percentage: -5 }),
    make({ percentage: 5, amount: 100 }),
    make({ percentage: 5, amount: 100, baseAmount: 2000 }),
    make({ percentage: 5, amount: 100.01, baseAmount: 2000 }),
  ]),
  {
    ...lineAllowance({ amount: -5 }),
    ...line({
      invoicedQuantity: -2,
      lineAllowances: [{ amount: -5, reason: "Discount" }],
    }),
    ...allowance({ amount: -5 }),
    invoiceTypeCode: "381",
  },
  ...[allowance, charge].flatMap((make) => [
    make({ amount: 5, vatRate: 0 }),
    make({ amount: 5, vatRate: 19 }),
    make({ amount: 5, vatCategoryCode: "X" }),
    make({ amount: 5, vatCategoryCode: "S", vatRate: 0 }),
    make({ amount: 5, vatCategoryCode: "E", vatRate: 7 }),
    make({ amount: 5, vatRate: 0.19 }),
  ]),
  // Divided among the rates of the lines, to the last cent.
  {
    ...line(
      { invoicedQuantity: 1, itemNetPrice: 100 },
      { invoicedQuantity: 1, itemNetPrice: 50, vatRate: 7 },
    ),
    ...allowance({ amount: 10 }),
    ...charge({ percentage: 10, reasonCode: "FC" }),
  },
  {
    ...line(
      { invoicedQuantity: 1, itemNetPrice: 100 },
      { invoicedQuantity: -1, itemNetPrice: 100, vatRate: 7 },
    ),
    ...allowance({ amount: 10 }),
  },
  allowance({ amount: 0 }),
  {
    vatExemptionReason: "§ 4",
    ...line({ vatCategoryCode: "E", vatRate: 0 }, {}),
    ...allowance({ amount: 5, vatRate: 0 }),
    ...charge({ amount: 5, vatCategoryCode: "S", vatRate: 19 }),
  },
  {
    ...line(
      { vatCategoryCode: "Z", vatRate: 0 },
      { vatCategoryCode: "G", vatRate: 0 },
    ),
    ...allowance({ amount: 5, vatRate: 0 }),
  },
  allowance({ percentage: 10, vatRate: 19 }),
  allowance({ percentage: 10, baseAmount: 50, vatRate: 19 }),
  // Lines
  line({ itemNetPrice: 0.335, invoicedQuantity: 3 }),
  line({ itemNetPrice: 0.1 + 0.2, invoicedQuantity: 1 }),
  line({ itemNetPrice: 0.123456789, invoicedQuantity: 1.000000004 }),
  line({ itemNetPrice: 10, itemPriceBaseQuantity: 3 }),
  line({ itemNetPrice: null, itemGrossPrice: 12, itemPriceDiscount: 2 }),
  line({ itemNetPrice: null, itemGrossPrice: 12 }),
  line({ lineIdentifier: "A", itemDescription: "Two days" }, {}),
  line({ unitOfMeasureCode: "days", vatCategoryCode: "s" }),
  line({ unitOfMeasureCode: "" }),
  ...(
    "einheit std. wochen monate jahre min sätze pauschal kilo gramm tonnen metre km cm mm qm cbm " +
    "liter ml kwh paket karton beutel flasche paar"
  )
    .split(" ")
    .map((unitOfMeasureCode) => line({ unitOfMeasureCode })),
  line({ unitOfMeasureCode: "hur" }),
  line({ itemCountryOfOrigin: "USA" }),
  line({ itemCountryOfOrigin: "Österreich" }),
  line({ itemCountryOfOrigin: "Pays-Bas" }),
  line({ itemCountryOfOrigin: "Côte d'Ivoire" }),
  line({ invoicedQuantity: null }),
  line({ invoicedQuantity: "two" }),
  line({ invoicedQuantity: [2] }),
  line({ unitOfMeasureCode: "bunches" }),
  line({ unitOfMeasureCode: "Stück" }),
  line({ itemNetPrice: null }),
  line({ itemNetPrice: -5 }),
  line({ itemNetPrice: null, itemGrossPrice: -5 }),
  line({ itemNetPrice: null, itemGrossPrice: 5, itemPriceDiscount: 6 }),
  line({ itemNetPrice: 10, itemGrossPrice: 12, itemPriceDiscount: 1 }),
  line({ itemNetPrice: 10, itemGrossPrice: 12, itemPriceDiscount: 2 }),
  line({ itemPriceBaseQuantity: 0 }),
  line({ itemPriceBaseQuantity: -1 }),
  line({ itemPriceBaseQuantity: 10 }),
  line({ itemName: "" }),
  line(scheme("itemStandardIdentifier", "0160", "4012345000054")),
  line(scheme("itemStandardIdentifier", "XYZ", "7")),
  line(scheme("itemStandardIdentifier", "", "7")),
  line(scheme("itemClassificationIdentifier", "XYZW", "7")),
  line(scheme("itemClassificationIdentifier", "", "7")),
  line({ itemCountryOfOrigin: "Atlantis" }),
  line(scheme("lineObjectIdentifier", "XYZW", "7")),
  line({ linePeriodStartDate: "2026-03-02", linePeriodEndDate: "2026-03-01" }),
  {
    invoicingPeriodStartDate: "2026-03-02",
    invoicingPeriodEndDate: "2026-03-05",
    ...line(
      { linePeriodStartDate: "2026-03-01", linePeriodEndDate: "2026-03-06" },
      { linePeriodStartDate: "2026-03-02", linePeriodEndDate: "2026-03-05" },
    ),
  },
  line({ linePeriodStartDate: "2026-03-01", linePeriodEndDate: "2026-03-06" }),
  line({ itemAttributes: [{ itemAttributeName: "Color" }, {}] }),
  line({ itemAttributes: [{ itemAttributeValue: "red" }] }),
  line({ itemNetPrice: 99_999_999_999.99, invoicedQuantity: 999_999 }),
  line({
    itemNetPrice: 9_999_999_999_999.99,
    vatCategoryCode: "Z",
    vatRate: 0,
    invoicedQuantity: 1,
  }),
  line({ itemNetPrice: 9_999_999_999_999.99, invoicedQuantity: 1 }),
  // Amounts of the record
  ...[
    "sumOfInvoiceLineNetAmount",
    "sumOfAllowancesOnDocumentLevel",
    "sumOfChargesOnDocumentLevel",
    "invoiceTotalAmountWithoutVat",
    "invoiceTotalVatAmount",
    "invoiceTotalAmountWithVat",
    "amountDueForPayment",
  ].map((term) => ({
    ...allowance({ amount: 5, vatRate: 19 }),
    ...charge({ amount: 8, vatRate: 19 }),
    paidAmount: 100,
    [term]: 1,
  })),
  line({ lineNetAmount: 2900 }, { lineNetAmount: 2900.01 }),
  {
    vatBreakdown: [
      { vatCategoryRate: 19, vatCategoryTaxAmount: 551 },
      { vatCategoryRate: 19, vatCategoryTaxAmount: 550.99 },
      { vatCategoryRate: 7, vatCategoryTaxableAmount: 1 },
      { vatCategoryCode: "Z", vatCategoryTaxAmount: 1 },
      { vatCategoryCode: "S", vatCategoryRate: 19, vatCategoryTaxAmount: 2 },
    ],
  },
];

/** One of each level and of each set of national rules. */
const PROFILES = [
  "factur-x-minimum",
  "factur-x-basic-wl",
  "factur-x-en16931",
  "xrechnung-ubl",
  "peppol-bis-3",
] as const;
/** The profiles whose files are compared: one of each syntax. */
const COMPARED = new Set<string>(["factur-x-en16931", "xrechnung-ubl"]);

const listValues = (xml: string) =>
  xml.split("\n").filter((element) => /<[^>]*>[^<]/.test(element));

const show = (sign: string) => (element: string) =>
  `    ${sign} ${element.trim()}\n`;

/** The values that only the new file has, and those that only the old one has. */
function compareFiles(old: string, xml: string): string {
  const left = listValues(old);
  const added = listValues(xml).filter((element) => {
    const index = left.indexOf(element);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  return [...left.map(show("-")), ...added.map(show("+"))].join("");
}

function compileProfiles() {
  return PROFILES.map((name) => {
    const check = createEinvoices(name);
    const { einvoice } = check({ ...VALID, lines: [LINE] });
    return { name, check, xml: einvoice?.xml ?? "" };
  });
}

/** The change, and for each profile its problems or the lines of its file that change. */
function describeChange(
  change: object,
  profiles: ReturnType<typeof compileProfiles>,
): string {
  const profilesOf = new Map<string, string[]>();
  for (const { name, check, xml } of profiles) {
    const record = { ...VALID, lines: [LINE], ...change };
    const { problems, einvoice } = check(record);
    expect(einvoice === null).to.equal(problems.length > 0);
    const lines = problems.map(
      ({ path, term, code, message, hint, expected = "" }) => {
        expect(hint).to.include(expected);
        const place = path.replace("$.data.", "");
        return `    ${code} ${place}${place === term ? "" : ` (${term})`}: ${message} ${hint}\n`;
      },
    );
    if (einvoice !== null && COMPARED.has(name))
      lines.push(compareFiles(xml, einvoice.xml));
    const text = lines.join("") || "    accepted\n";
    profilesOf.set(text, [...(profilesOf.get(text) ?? []), name]);
  }
  const groups = Array.from(profilesOf, ([text, names]) => {
    const isEvery = names.length === PROFILES.length;
    return `  ${isEvery ? "every profile" : names.join(", ")}\n${text}`;
  });
  return `${JSON.stringify(change)}\n${groups.join("")}`;
}

describe("A change of an e-invoice", () => {
  it("becomes the elements of its terms, or is refused with the field to change, in each profile", () => {
    const file = new URL("changes.txt", import.meta.url);
    const profiles = compileProfiles();
    const described = CHANGES.map((one) => describeChange(one, profiles));
    expectRecorded(described.join("\n"), file);
  });
});
