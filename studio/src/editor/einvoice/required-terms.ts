import {
  EINVOICE_LEVELS,
  EINVOICE_PROFILES,
  type EinvoiceProfile,
} from "../../../../core/plugin-api/definition.js";

// The terms that nearly every invoice of a profile needs; the business rules decide.

const ALWAYS = [
  "invoiceNumber",
  "issueDate",
  "sellerName",
  "sellerCountryCode",
  "sellerVatIdentifier",
  "buyerName",
  "lines",
  "invoicedQuantity",
  "itemNetPrice",
  "vatRate",
];
const FROM_BASIC_WL = ["paymentDueDate", "buyerCountryCode"];
const FROM_BASIC = ["itemName"];
const ADDRESSES = [
  "buyerReference",
  "sellerElectronicAddress",
  "buyerElectronicAddress",
];
const XRECHNUNG = [
  ...ADDRESSES,
  "sellerCity",
  "sellerPostCode",
  "sellerContactPoint",
  "sellerContactTelephoneNumber",
  "sellerContactEmailAddress",
  "buyerCity",
  "buyerPostCode",
  "paymentAccountIdentifier",
];
const PEPPOL = [
  ...ADDRESSES,
  "sellerElectronicAddressScheme",
  "buyerElectronicAddressScheme",
];

export function listRequiredTerms(
  profile: EinvoiceProfile,
): ReadonlySet<string> {
  const level = EINVOICE_LEVELS.indexOf(EINVOICE_PROFILES[profile].level);
  const isFrom = (first: (typeof EINVOICE_LEVELS)[number]) =>
    level >= EINVOICE_LEVELS.indexOf(first);
  return new Set([
    ...ALWAYS,
    ...(isFrom("basic-wl") ? FROM_BASIC_WL : []),
    ...(isFrom("basic") ? FROM_BASIC : []),
    ...(profile.startsWith("xrechnung") ? XRECHNUNG : []),
    ...(profile === "peppol-bis-3" ? PEPPOL : []),
  ]);
}
