import type { DocumentTerm } from "../../definition/schema/einvoice-terms.js";
import { isIban } from "./iban.js";
import type { Entry } from "./read-invoice.js";

// What several terms say together, or what one that is missing implies.

export interface Address {
  line1: string;
  line2: string;
  line3: string;
  city: string;
  postCode: string;
  subdivision: string;
  country: string;
}

export type AddressOwner =
  "seller" | "buyer" | "taxRepresentative" | "deliverTo";

export function readAddress(
  document: Entry<DocumentTerm>,
  owner: AddressOwner,
): Address {
  return {
    line1: document.text(`${owner}AddressLine1`),
    line2: document.text(`${owner}AddressLine2`),
    line3: document.text(`${owner}AddressLine3`),
    city: document.text(`${owner}City`),
    postCode: document.text(`${owner}PostCode`),
    subdivision: document.text(`${owner}CountrySubdivision`),
    country: document.text(`${owner}CountryCode`),
  };
}

export type PaymentKind = "transfer" | "card" | "direct debit" | "other";

const KINDS: Readonly<Record<string, PaymentKind>> = {
  30: "transfer",
  58: "transfer",
  48: "card",
  54: "card",
  55: "card",
  49: "direct debit",
  59: "direct debit",
};

/** How the invoice is paid: as the record says, or what its accounts imply; null when it says nothing. */
export function getPayment(
  document: Entry<DocumentTerm>,
): { code: string; kind: PaymentKind } | null {
  const code = document.text("paymentMeansTypeCode") || impliedCode(document);
  return code === null ? null : { code, kind: KINDS[code] ?? "other" };
}

function impliedCode(document: Entry<DocumentTerm>): string | null {
  const has = (...terms: DocumentTerm[]) =>
    terms.some((term) => document.has(term));
  if (has("mandateReferenceIdentifier", "debitedAccountIdentifier"))
    return "59";
  if (has("paymentAccountIdentifier"))
    return isIban(document.text("paymentAccountIdentifier")) ? "58" : "30";
  return has("paymentCardPrimaryAccountNumber") ? "48" : null;
}

/** An electronic address without a scheme is an email address. */
export function getAddressScheme(address: string, scheme: string): string {
  return scheme || (address.includes("@") ? "EM" : "");
}

/** XRechnung requires a line break after each cash discount (`#SKONTO#…#`), also after the last. */
export function getPaymentTerms(document: Entry<DocumentTerm>): string {
  const text = document.text("paymentTerms");
  return text.endsWith("#") ? `${text}\n` : text;
}

/** A payee is named only when it is not the seller. */
export function hasPayee(document: Entry<DocumentTerm>): boolean {
  return document.text("payeeName") !== document.text("sellerName");
}

interface Exemption {
  reason: string;
  code: string;
}

const EXEMPTIONS: Readonly<Record<string, Exemption>> = {
  AE: { reason: "Reverse charge", code: "VATEX-EU-AE" },
  K: { reason: "Intra-community supply", code: "VATEX-EU-IC" },
  G: { reason: "Export outside the EU", code: "VATEX-EU-G" },
  O: { reason: "Not subject to VAT", code: "VATEX-EU-O" },
};

/**
 * Why a category has no VAT; null for those with VAT. The reason of the record is that of the exempt category (E), or of
 * the only one without VAT; the others have standard ones.
 */
export function getExemption(
  document: Entry<DocumentTerm>,
  category: string,
  categories: ReadonlySet<string>,
): Exemption | null {
  const standard = EXEMPTIONS[category];
  if (standard === undefined && category !== "E") return null;
  const unrated = ["E", ...Object.keys(EXEMPTIONS)].filter((code) =>
    categories.has(code),
  );
  const ownExemption = {
    reason: document.text("vatExemptionReason"),
    code: document.text("vatExemptionReasonCode"),
  };
  const isOwn = category === "E" || unrated.length === 1;
  if (isOwn && (ownExemption.reason !== "" || ownExemption.code !== ""))
    return ownExemption;
  return standard ?? ownExemption;
}
