import type { Decimal } from "decimal.js";
import {
  type DocumentTerm,
  EINVOICE_PROFILES,
  type EinvoiceLevel,
  type EinvoiceProfile,
  type LineTerm,
} from "../../definition/schema/einvoice-terms.js";
import { checkBudget } from "../../lib/time-budget.js";
import type { EinvoiceProblem } from "../program.js";
import {
  type LineTotals,
  readAllowanceVat,
  type Totals,
  type VatSubtotal,
} from "./calculate-totals.js";
import {
  ADDRESS_SCHEMES,
  ALLOWANCE_REASONS,
  CHARGE_REASONS,
  CLASSIFICATION_SCHEMES,
  COUNTRIES,
  CURRENCIES,
  DOCUMENT_TYPES,
  IDENTIFIER_SCHEMES,
  NOTE_SUBJECTS,
  OBJECT_SCHEMES,
  PAYMENT_MEANS,
  PEPPOL_ADDRESS_SCHEMES,
  PEPPOL_DOCUMENT_TYPES,
  UNITS,
  VAT_EXEMPTIONS,
} from "./code-lists.js";
import {
  getAddressScheme,
  getExemption,
  getPayment,
  getPaymentTerms,
  hasPayee,
} from "./derived-terms.js";
import { isIban } from "./iban.js";
import { isValidPeppolIdentifier } from "./peppol-identifiers.js";
import {
  type Entry,
  type Invoice,
  isIncluded,
  type Line,
  locate,
} from "./read-invoice.js";

// The business rules of EN 16931 (BR-…), XRechnung (BR-DE-…) and Peppol (PEPPOL-…) that a record or a mapping can break.
// Those that the calculation keeps by itself, such as the sums, are not here.

interface Facts {
  document: Invoice["document"];
  totals: Totals;
  profile: EinvoiceProfile;
  level: EinvoiceLevel;
  /** The VAT categories of the invoice. */
  categories: ReadonlySet<string>;
}

/** One rule about a term. */
interface Rule<Term extends string, Subject> {
  id: string;
  /** The term that has to be filled or changed. */
  term: Term;
  /** The first level with the rule. */
  from?: EinvoiceLevel;
  applies?: (facts: Facts) => boolean;
  isBroken: (entry: Entry<Term>, subject: Subject, facts: Facts) => boolean;
  /** What is wrong, as a clause: The buyer has no country. */
  message: string | ((text: string) => string);
  /** What is right, such as: a code such as DE. */
  hint: string;
}

type DocumentRule = Rule<DocumentTerm, Facts>;
/** A term with another one that tells its scheme. */
type SchemedTerm = {
  [Term in DocumentTerm]: `${Term}Scheme` extends DocumentTerm ? Term : never;
}[DocumentTerm];

/** Finds every broken rule, in the order of the terms. */
export function checkBusinessRules(
  invoice: Invoice,
  totals: Totals,
  profile: EinvoiceProfile,
): EinvoiceProblem[] {
  const { document } = invoice;
  const facts: Facts = {
    document,
    totals,
    profile,
    level: EINVOICE_PROFILES[profile].level,
    categories: new Set(totals.vat.map(({ category }) => category)),
  };
  return [
    ...apply(DOCUMENT_RULES, document, facts, facts),
    ...checkGroups(invoice, facts),
    ...totals.lines.flatMap((line) => checkLine(line, facts)),
    ...totals.vat.flatMap((subtotal) => checkVat(subtotal, facts)),
  ];
}

function apply<Term extends string, Subject>(
  rules: readonly Rule<Term, Subject>[],
  entry: Entry<Term>,
  subject: Subject,
  facts: Facts,
): EinvoiceProblem[] {
  return rules
    .filter(
      ({ from = "minimum", applies }) =>
        isIncluded(from, facts.level) && applies?.(facts) !== false,
    )
    .filter(({ isBroken }) => isBroken(entry, subject, facts))
    .map((rule) => toProblem(rule, entry));
}

function toProblem<Term extends string>(
  {
    id,
    term,
    message,
    hint,
  }: Pick<Rule<Term, never>, "id" | "term" | "message" | "hint">,
  entry: Entry<Term>,
): EinvoiceProblem {
  const source = entry.source(term);
  const { field, isMapped } = source;
  const clause =
    typeof message === "string" ? message : message(entry.text(term));
  const action =
    field !== null
      ? entry.has(term)
        ? `Change \`${field}\` to ${hint}.`
        : `Fill \`${field}\`, ${hint}.`
      : isMapped
        ? `Write ${hint}.`
        : `Map \`${term}\` in the template's e-invoice, ${hint}.`;
  return {
    ...locate(source),
    code: id,
    message: `${clause} (${id}).`,
    hint: action,
    expected: hint,
  };
}

const isGerman = ({ profile }: Facts) => profile.startsWith("xrechnung");
const isPeppol = ({ profile }: Facts) => profile === "peppol-bis-3";
const isGermanOrPeppol = (facts: Facts) => isGerman(facts) || isPeppol(facts);
/** Peppol has Germany's rules for invoices within Germany. */
const hasGermanRules = (facts: Facts) =>
  isGerman(facts) ||
  (isPeppol(facts) &&
    facts.document.text("sellerCountryCode") === "DE" &&
    facts.document.text("buyerCountryCode") === "DE");

function required<Term extends string>(
  id: string,
  term: Term,
  message: string,
  hint: string,
  rest: Pick<Rule<Term, unknown>, "from" | "applies"> = {},
): Rule<Term, unknown> {
  return {
    id,
    term,
    message,
    hint,
    ...rest,
    isBroken: (entry) => !entry.has(term),
  };
}

function coded<Term extends string>(
  id: string,
  term: Term,
  codes: ReadonlySet<string>,
  what: string,
  hint: string,
): Rule<Term, unknown> {
  return {
    id,
    term,
    isBroken: (entry) => entry.has(term) && !codes.has(entry.text(term)),
    message: (text) =>
      `${what} is "${text.slice(0, 60)}", which is not on the list`,
    hint,
  };
}

/** The entry has the first term without the second. */
function needs<Term extends string>(
  id: string,
  first: Term,
  term: Term,
  message: string,
  hint: string,
  rest: Pick<Rule<Term, unknown>, "from" | "applies"> = {},
): Rule<Term, unknown> {
  return {
    id,
    term,
    message,
    hint,
    ...rest,
    isBroken: (entry) => entry.has(first) && !entry.has(term),
  };
}

const COUNTRY_HINT = "a code of two letters such as DE";
const VAT_ID_HINT =
  "a VAT identifier that begins with the code of its country, such as DE123456789";
const SCHEME_HINT = "a code of ISO 6523 such as 0088";
const ADDRESS_SCHEME_HINT =
  "a code such as EM for an email address or 9930 for a German VAT number";

function country(term: DocumentTerm, what: string): DocumentRule {
  return coded("BR-CL-14", term, COUNTRIES, what, COUNTRY_HINT);
}

function scheme(
  id: string,
  term: SchemedTerm,
  what: string,
  hint = SCHEME_HINT,
): DocumentRule {
  const name = `The scheme of ${what}`;
  return coded(id, `${term}Scheme`, IDENTIFIER_SCHEMES, name, hint);
}

function vatIdentifier(term: DocumentTerm, owner: string): DocumentRule[] {
  return [
    {
      id: "BR-CO-09",
      term,
      isBroken: (document) =>
        document.has(term) && !hasCountryPrefix(document.text(term)),
      message: (text) =>
        `The VAT identifier of ${owner} is "${text.slice(0, 60)}", which does not begin with the code of a country`,
      hint: VAT_ID_HINT,
    },
    {
      id: "PEPPOL-COMMON-R056",
      term,
      applies: isPeppol,
      isBroken: (document) => {
        const text = document.text(term);
        return text.startsWith("NL") && !isValidPeppolIdentifier("9944", text);
      },
      message: (text) =>
        `The Dutch VAT identifier of ${owner} is "${text.slice(0, 60)}", which does not have the form of one`,
      hint: "an identifier such as NL123456789B01",
    },
  ];
}

/** Greece writes EL. */
function hasCountryPrefix(text: string): boolean {
  const prefix = text.slice(0, 2);
  return prefix === "EL" || COUNTRIES.has(prefix);
}

function address(
  term: SchemedTerm,
  rule: string,
  owner: string,
): DocumentRule[] {
  const schemeTerm: DocumentTerm = `${term}Scheme`;
  return [
    {
      id: rule,
      term: schemeTerm,
      isBroken: (document) =>
        document.has(term) &&
        getAddressScheme(document.text(term), document.text(schemeTerm)) === "",
      message: `The electronic address of ${owner} has no scheme`,
      hint: ADDRESS_SCHEME_HINT,
    },
    {
      id: "PEPPOL-EN16931-CL008",
      term: schemeTerm,
      applies: isPeppol,
      isBroken: (document) => {
        const code = getAddressScheme(
          document.text(term),
          document.text(schemeTerm),
        );
        return ADDRESS_SCHEMES.has(code) && !PEPPOL_ADDRESS_SCHEMES.has(code);
      },
      message: `The electronic address of ${owner} has a scheme that Peppol does not use`,
      hint: "a code such as 9930 for a German VAT number, and that number as the address",
    },
    coded(
      "BR-CL-25",
      schemeTerm,
      ADDRESS_SCHEMES,
      `The scheme of the electronic address of ${owner}`,
      ADDRESS_SCHEME_HINT,
    ),
  ];
}

/** Peppol checks the form and the check digits of identifiers with some schemes. */
function peppolIdentifier(term: SchemedTerm, what: string): DocumentRule {
  return {
    id: "PEPPOL-COMMON",
    term,
    applies: isPeppol,
    isBroken: (document) =>
      document.has(term) &&
      !isValidPeppolIdentifier(
        document.text(`${term}Scheme`),
        document.text(term),
      ),
    message: (text) =>
      `${what} is "${text.slice(0, 60)}", which is not a valid identifier of its scheme`,
    hint: "a number with the right length and check digits, or change the scheme",
  };
}

/** What says who the party is. */
function partyIdentifiers(
  party: "seller" | "buyer",
  addressRule: string,
): DocumentRule[] {
  return [
    scheme("BR-CL-10", `${party}Identifier`, `the ${party}'s identifier`),
    scheme(
      "BR-CL-11",
      `${party}LegalRegistrationIdentifier`,
      `the ${party}'s registration`,
      "a code of ISO 6523 such as 0002 for a SIREN",
    ),
    ...address(`${party}ElectronicAddress`, addressRule, `the ${party}`),
    peppolIdentifier(
      `${party}ElectronicAddress`,
      `The electronic address of the ${party}`,
    ),
    peppolIdentifier(`${party}Identifier`, `The identifier of the ${party}`),
    peppolIdentifier(
      `${party}LegalRegistrationIdentifier`,
      `The registration of the ${party}`,
    ),
  ];
}

/** A period that ends before it begins. */
function period<Term extends string>(
  id: string,
  start: Term,
  term: Term,
): Rule<Term, unknown> {
  return {
    id,
    term,
    isBroken: (entry) =>
      entry.has(start) &&
      entry.has(term) &&
      entry.text(term) < entry.text(start),
    message: (text) => `The period ends on ${text}, before it begins`,
    hint: "a later date",
  };
}

const EXISTING_CATEGORIES: ReadonlySet<string> = new Set(
  "S Z E AE K G O L M".split(" "),
);

/** Whether an item or an allowance has a VAT category of this kind. */
const hasCategory =
  (...wanted: string[]) =>
  ({ categories }: Facts) =>
    wanted.some((category) => categories.has(category));

const hasSellerTaxId = (document: Entry<DocumentTerm>) =>
  document.has("sellerVatIdentifier") ||
  document.has("sellerTaxRegistrationIdentifier") ||
  document.has("sellerTaxRepresentativeVatIdentifier");

const pays =
  (kind: "transfer" | "card" | "direct debit") =>
  ({ document }: Facts) =>
    getPayment(document)?.kind === kind;

const DOCUMENT_RULES: readonly DocumentRule[] = [
  required(
    "BR-02",
    "invoiceNumber",
    "The invoice has no number",
    "such as RE-2026-001",
  ),
  required(
    "BR-03",
    "issueDate",
    "The invoice has no date of issue",
    "a date such as 2026-12-31",
  ),
  {
    id: "PEPPOL-EN16931-R007",
    term: "businessProcessType",
    applies: isPeppol,
    isBroken: (document) =>
      document.has("businessProcessType") &&
      !/^urn:fdc:peppol\.eu:2017:poacc:billing:\d\d:1\.0$/.test(
        document.text("businessProcessType"),
      ),
    message: (text) => `Peppol has no business process "${text.slice(0, 60)}"`,
    hint: "nothing, or urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
  },
  coded(
    "BR-CL-01",
    "invoiceTypeCode",
    DOCUMENT_TYPES,
    "The type of the invoice",
    "380 for an invoice, 381 for a credit note or 384 for a corrected invoice",
  ),
  {
    id: "BR-DE-17",
    term: "invoiceTypeCode",
    applies: hasGermanRules,
    isBroken: (document) =>
      document.has("invoiceTypeCode") &&
      !["326", "380", "384", "389", "381", "875", "876", "877"].includes(
        document.text("invoiceTypeCode"),
      ),
    message: (text) => `XRechnung has no invoice of the type ${text}`,
    hint: "380 for an invoice, 381 for a credit note or 384 for a corrected invoice",
  },
  {
    id: "PEPPOL-EN16931-P0100",
    term: "invoiceTypeCode",
    applies: isPeppol,
    isBroken: (document) =>
      document.has("invoiceTypeCode") &&
      !PEPPOL_DOCUMENT_TYPES.has(document.text("invoiceTypeCode")),
    message: (text) => `Peppol has no invoice of the type ${text}`,
    hint: "380 for an invoice or 381 for a credit note",
  },
  {
    id: "PEPPOL-EN16931-P0112",
    term: "invoiceTypeCode",
    applies: (facts) => isPeppol(facts) && !hasGermanRules(facts),
    isBroken: (document) =>
      ["326", "384"].includes(document.text("invoiceTypeCode")),
    message: (text) =>
      `Peppol has invoices of the type ${text} only within Germany`,
    hint: "380 for an invoice or 381 for a credit note",
  },
  {
    id: "BR-DE-26",
    term: "invoiceTypeCode",
    applies: hasGermanRules,
    isBroken: (document) =>
      document.text("invoiceTypeCode") === "384" &&
      document.list("precedingInvoices").length === 0,
    message: "A corrected invoice does not name the invoice that it corrects",
    hint: "another type such as 380, or map `precedingInvoices`",
  },
  coded(
    "BR-CL-04",
    "currencyCode",
    CURRENCIES,
    "The currency",
    "a code of three letters such as EUR",
  ),
  coded(
    "BR-CL-05",
    "vatAccountingCurrencyCode",
    CURRENCIES,
    "The currency of the VAT",
    "a code of three letters such as EUR",
  ),
  needs(
    "BR-53",
    "vatAccountingCurrencyCode",
    "invoiceTotalVatAmountInAccountingCurrency",
    "The total of the VAT in the accounting currency is missing",
    "an amount in that currency",
  ),
  {
    id: "PEPPOL-EN16931-R005",
    term: "vatAccountingCurrencyCode",
    isBroken: (document) =>
      document.has("vatAccountingCurrencyCode") &&
      document.text("vatAccountingCurrencyCode") ===
        document.text("currencyCode"),
    message: "The currency of the VAT is that of the invoice",
    hint: "another currency, or nothing",
  },
  {
    id: "PEPPOL-EN16931-R055",
    term: "invoiceTotalVatAmountInAccountingCurrency",
    isBroken: (document, { totals }) =>
      document.has("vatAccountingCurrencyCode") &&
      document
        .number("invoiceTotalVatAmountInAccountingCurrency")
        ?.times(totals.vatTotal)
        .lessThan(0) === true,
    message: (text) =>
      `The total of the VAT in the accounting currency is ${text}, and that of the invoice has the other sign`,
    hint: "the same amount in that currency, with the same sign",
  },
  {
    id: "BR-CO-03",
    term: "taxPointDateCode",
    isBroken: (document) =>
      document.has("taxPointDate") && document.has("taxPointDateCode"),
    message: "The invoice has both a tax point date and its code",
    hint: "nothing, or leave out the tax point date",
  },
  coded(
    "BR-CL-06",
    "taxPointDateCode",
    new Set(["3", "35", "432", "5", "29", "72"]),
    "The code of the tax point date",
    "3 for the date of issue, 35 for the delivery or 432 for the payment",
  ),
  {
    id: "BR-CO-25",
    term: "paymentDueDate",
    from: "basic-wl",
    isBroken: (document, _, { totals }) =>
      totals.due.greaterThan(0) &&
      !document.has("paymentDueDate") &&
      !document.has("paymentTerms"),
    message:
      "An amount is due, but neither a due date nor terms of payment say when",
    hint: "a date such as 2026-12-31, or the terms of payment",
  },
  {
    id: "BR-DE-18",
    term: "paymentTerms",
    applies: hasGermanRules,
    isBroken: (document) => {
      const terms = getPaymentTerms(document);
      const discounts = terms
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line.startsWith("#"));
      // The rule also requires that the last #…# of the text ends its line.
      return (
        discounts.some((line) => !SKONTO.test(line)) ||
        (discounts.length > 0 &&
          !/^\s*\n/.test(terms.split(/#.+#/).at(-1) ?? ""))
      );
    },
    message: "The terms of payment have # in a text that is no cash discount",
    hint: "lines such as #SKONTO#TAGE=14#PROZENT=2.00#, without # in the other lines",
  },
  required(
    "BR-DE-15",
    "buyerReference",
    "The invoice has no buyer reference, which is the Leitweg-ID of a public buyer",
    "such as 04011000-12345-03",
    { applies: hasGermanRules },
  ),
  {
    id: "PEPPOL-EN16931-R003",
    term: "buyerReference",
    applies: (facts) => isPeppol(facts) && !hasGermanRules(facts),
    isBroken: (document) =>
      !document.has("buyerReference") &&
      !document.has("purchaseOrderReference"),
    message:
      "The invoice has neither a buyer reference nor the number of a purchase order",
    hint: "a reference that the buyer gave you",
  },
  coded(
    "BR-CL-07",
    "invoicedObjectIdentifierScheme",
    OBJECT_SCHEMES,
    "The scheme of the invoiced object",
    "a code of UNTDID 1153 such as ABZ",
  ),

  // The seller
  required(
    "BR-06",
    "sellerName",
    "The seller has no name",
    "the full legal name",
  ),
  required(
    "BR-09",
    "sellerCountryCode",
    "The seller has no country",
    COUNTRY_HINT,
  ),
  country("sellerCountryCode", "The seller's country"),
  {
    id: "BR-CO-26",
    term: "sellerVatIdentifier",
    isBroken: (document) =>
      !document.has("sellerIdentifier") &&
      !document.has("sellerLegalRegistrationIdentifier") &&
      !document.has("sellerVatIdentifier"),
    message:
      "Nothing identifies the seller: neither a VAT identifier, nor a registration, nor another identifier",
    hint: VAT_ID_HINT,
  },
  {
    id: "BR-S-02",
    term: "sellerVatIdentifier",
    applies: hasCategory("S", "Z", "E", "L", "M"),
    isBroken: (document) => !hasSellerTaxId(document),
    message:
      "The invoice has VAT categories, but the seller has neither a VAT identifier nor a tax number",
    hint: VAT_ID_HINT,
  },
  {
    id: "BR-AE-02",
    term: "sellerVatIdentifier",
    applies: hasCategory("AE"),
    isBroken: (document) => !hasSellerTaxId(document),
    message:
      "The invoice has reverse charge, but the seller has neither a VAT identifier nor a tax number",
    hint: VAT_ID_HINT,
  },
  {
    id: "BR-IC-02",
    term: "sellerVatIdentifier",
    applies: hasCategory("K", "G"),
    isBroken: (document) =>
      !document.has("sellerVatIdentifier") &&
      !document.has("sellerTaxRepresentativeVatIdentifier"),
    message:
      "The invoice has goods for another country, but the seller has no VAT identifier",
    hint: VAT_ID_HINT,
  },
  {
    id: "BR-O-02",
    term: "sellerVatIdentifier",
    applies: hasCategory("O"),
    isBroken: (document) => document.has("sellerVatIdentifier"),
    message:
      "The invoice is outside of the scope of VAT, but the seller has a VAT identifier",
    hint: "nothing, and fill the registration or the tax number instead",
  },
  {
    id: "BR-O-02",
    term: "sellerTaxRepresentativeVatIdentifier",
    applies: hasCategory("O"),
    isBroken: (document) =>
      document.has("sellerTaxRepresentativeVatIdentifier"),
    message:
      "The invoice is outside of the scope of VAT, but the seller's tax representative has a VAT identifier",
    hint: "nothing, and leave out the tax representative",
  },
  ...vatIdentifier("sellerVatIdentifier", "the seller"),
  ...partyIdentifiers("seller", "BR-62"),
  required(
    "PEPPOL-EN16931-R020",
    "sellerElectronicAddress",
    "The seller has no electronic address",
    "an email address or an identifier with its scheme",
    { applies: isGermanOrPeppol },
  ),
  required(
    "BR-DE-3",
    "sellerCity",
    "The seller has no city",
    "such as Berlin",
    { applies: hasGermanRules },
  ),
  required(
    "BR-DE-4",
    "sellerPostCode",
    "The seller has no post code",
    "such as 10115",
    { applies: hasGermanRules },
  ),
  required(
    "BR-DE-5",
    "sellerContactPoint",
    "The seller has no contact",
    "the name of a person or department",
    { applies: hasGermanRules },
  ),
  required(
    "BR-DE-6",
    "sellerContactTelephoneNumber",
    "The seller's contact has no telephone number",
    "such as +49 30 1234567",
    { applies: hasGermanRules },
  ),
  {
    id: "BR-DE-27",
    term: "sellerContactTelephoneNumber",
    applies: hasGermanRules,
    isBroken: (document) =>
      document.has("sellerContactTelephoneNumber") &&
      document.text("sellerContactTelephoneNumber").replaceAll(/\D/g, "")
        .length < 3,
    message:
      "The telephone number of the seller's contact has fewer than three digits",
    hint: "a number such as +49 30 1234567",
  },
  required(
    "BR-DE-7",
    "sellerContactEmailAddress",
    "The seller's contact has no email address",
    "such as billing@example.com",
    { applies: hasGermanRules },
  ),
  {
    id: "BR-DE-28",
    term: "sellerContactEmailAddress",
    applies: hasGermanRules,
    isBroken: (document) =>
      document.has("sellerContactEmailAddress") &&
      !/^[^@\s]+[^@\s.]@[^@\s.][^@\s]+$/.test(
        document.text("sellerContactEmailAddress"),
      ),
    message: (text) =>
      `The email address of the seller's contact is "${text.slice(0, 60)}", which is not one`,
    hint: "an address such as billing@example.com",
  },

  // The buyer
  required(
    "BR-07",
    "buyerName",
    "The buyer has no name",
    "the full legal name",
  ),
  required(
    "BR-11",
    "buyerCountryCode",
    "The buyer has no country",
    COUNTRY_HINT,
    { from: "basic-wl" },
  ),
  country("buyerCountryCode", "The buyer's country"),
  {
    id: "BR-AE-02",
    term: "buyerVatIdentifier",
    from: "basic-wl",
    applies: hasCategory("AE"),
    isBroken: (document) =>
      !document.has("buyerVatIdentifier") &&
      !document.has("buyerLegalRegistrationIdentifier"),
    message:
      "The invoice has reverse charge, but the buyer has neither a VAT identifier nor a registration",
    hint: VAT_ID_HINT,
  },
  {
    id: "BR-IC-02",
    term: "buyerVatIdentifier",
    from: "basic-wl",
    applies: hasCategory("K"),
    isBroken: (document) => !document.has("buyerVatIdentifier"),
    message:
      "The invoice has an intra-community supply, but the buyer has no VAT identifier",
    hint: VAT_ID_HINT,
  },
  {
    id: "BR-O-02",
    term: "buyerVatIdentifier",
    applies: hasCategory("O"),
    isBroken: (document) => document.has("buyerVatIdentifier"),
    message:
      "The invoice is outside of the scope of VAT, but the buyer has a VAT identifier",
    hint: "nothing",
  },
  ...vatIdentifier("buyerVatIdentifier", "the buyer"),
  ...partyIdentifiers("buyer", "BR-63"),
  required(
    "PEPPOL-EN16931-R010",
    "buyerElectronicAddress",
    "The buyer has no electronic address",
    "an email address or an identifier with its scheme",
    { applies: isGermanOrPeppol },
  ),
  required("BR-DE-8", "buyerCity", "The buyer has no city", "such as Hamburg", {
    applies: hasGermanRules,
  }),
  required(
    "BR-DE-9",
    "buyerPostCode",
    "The buyer has no post code",
    "such as 20457",
    { applies: hasGermanRules },
  ),

  // The payee, the tax representative and the delivery
  {
    id: "BR-17",
    term: "payeeName",
    isBroken: (document) =>
      !document.has("payeeName") &&
      (document.has("payeeIdentifier") ||
        document.has("payeeLegalRegistrationIdentifier")),
    message: "The payee has no name",
    hint: "the full name",
  },
  scheme("BR-CL-10", "payeeIdentifier", "the payee's identifier"),
  peppolIdentifier("payeeIdentifier", "The payee's identifier"),
  scheme(
    "BR-CL-11",
    "payeeLegalRegistrationIdentifier",
    "the payee's registration",
  ),
  peppolIdentifier(
    "payeeLegalRegistrationIdentifier",
    "The payee's registration",
  ),
  scheme(
    "BR-CL-26",
    "deliverToLocationIdentifier",
    "the identifier of the place of delivery",
  ),
  sameAsSeller("payeeIdentifier", "sellerIdentifier"),
  sameAsSeller(
    "payeeLegalRegistrationIdentifier",
    "sellerLegalRegistrationIdentifier",
  ),
  {
    id: "BR-56",
    term: "sellerTaxRepresentativeVatIdentifier",
    isBroken: (document) =>
      !document.has("sellerTaxRepresentativeVatIdentifier") &&
      TAX_REPRESENTATIVE.some((term) => document.has(term)),
    message: "The seller's tax representative has no VAT identifier",
    hint: VAT_ID_HINT,
  },
  {
    id: "BR-18",
    term: "sellerTaxRepresentativeName",
    isBroken: (document) =>
      !document.has("sellerTaxRepresentativeName") &&
      TAX_REPRESENTATIVE.some((term) => document.has(term)),
    message: "The seller's tax representative has no name",
    hint: "the full name",
  },
  ...vatIdentifier(
    "sellerTaxRepresentativeVatIdentifier",
    "the seller's tax representative",
  ),
  {
    id: "BR-20",
    term: "taxRepresentativeCountryCode",
    isBroken: (document) =>
      !document.has("taxRepresentativeCountryCode") &&
      TAX_REPRESENTATIVE.some((term) => document.has(term)),
    message: "The seller's tax representative has no country",
    hint: COUNTRY_HINT,
  },
  country(
    "taxRepresentativeCountryCode",
    "The country of the seller's tax representative",
  ),
  {
    id: "BR-57",
    term: "deliverToCountryCode",
    isBroken: (document) =>
      !document.has("deliverToCountryCode") &&
      DELIVERY_ADDRESS.some((term) => document.has(term)),
    message: "The delivery address has no country",
    hint: COUNTRY_HINT,
  },
  country("deliverToCountryCode", "The country of the delivery address"),
  needs(
    "BR-DE-10",
    "deliverToCountryCode",
    "deliverToCity",
    "The delivery address has no city",
    "such as Hamburg",
    { applies: hasGermanRules },
  ),
  needs(
    "BR-DE-11",
    "deliverToCountryCode",
    "deliverToPostCode",
    "The delivery address has no post code",
    "such as 20457",
    { applies: hasGermanRules },
  ),
  {
    id: "BR-IC-11",
    term: "actualDeliveryDate",
    from: "basic-wl",
    applies: hasCategory("K"),
    isBroken: (document) =>
      !document.has("actualDeliveryDate") &&
      !document.has("invoicingPeriodStartDate") &&
      !document.has("invoicingPeriodEndDate"),
    message:
      "The invoice has an intra-community supply, but neither a date of delivery nor a period",
    hint: "a date such as 2026-12-31",
  },
  {
    id: "BR-IC-12",
    term: "deliverToCountryCode",
    from: "basic-wl",
    applies: hasCategory("K"),
    isBroken: (document) => !document.has("deliverToCountryCode"),
    message:
      "The invoice has an intra-community supply, but the country of the delivery is missing",
    hint: COUNTRY_HINT,
  },
  period("BR-29", "invoicingPeriodStartDate", "invoicingPeriodEndDate"),

  // The payment
  {
    id: "BR-DE-1",
    term: "paymentAccountIdentifier",
    applies: hasGermanRules,
    isBroken: (document) => getPayment(document) === null,
    message: "The invoice does not say how it is paid",
    hint: "the IBAN of the account to pay to",
  },
  coded(
    "BR-CL-16",
    "paymentMeansTypeCode",
    PAYMENT_MEANS,
    "The means of payment",
    "58 for a SEPA transfer, 30 for another transfer or 59 for a direct debit",
  ),
  required(
    "BR-61",
    "paymentAccountIdentifier",
    "The invoice is paid by transfer, but has no account to pay to",
    "an IBAN",
    { applies: pays("transfer") },
  ),
  {
    id: "BR-DE-19",
    term: "paymentAccountIdentifier",
    isBroken: (document) =>
      getPayment(document)?.code === "58" &&
      document.has("paymentAccountIdentifier") &&
      !isIban(document.text("paymentAccountIdentifier")),
    message: (text) =>
      `The account for the SEPA transfer is "${text.slice(0, 60)}", which is no IBAN`,
    hint: "an IBAN with the right check digits",
  },
  required(
    "BR-51",
    "paymentCardPrimaryAccountNumber",
    "The invoice is paid by card, but has no card number",
    "the last four to six digits",
    { from: "en16931", applies: pays("card") },
  ),
  {
    id: "BR-51",
    term: "paymentCardPrimaryAccountNumber",
    isBroken: (document) =>
      document.text("paymentCardPrimaryAccountNumber").length > 10,
    message: "The whole number of the card must not be in an invoice",
    hint: "only its last four digits",
  },
  required(
    "PEPPOL-EN16931-R061",
    "mandateReferenceIdentifier",
    "The invoice is paid by direct debit, but has no mandate reference",
    "the reference of the mandate",
    {
      applies: (facts) =>
        isGermanOrPeppol(facts) && pays("direct debit")(facts),
    },
  ),
  required(
    "BR-DE-30",
    "bankAssignedCreditorIdentifier",
    "The invoice is paid by direct debit, but has no creditor identifier",
    "such as DE98ZZZ09999999999",
    {
      applies: (facts) => hasGermanRules(facts) && pays("direct debit")(facts),
    },
  ),
  required(
    "BR-DE-31",
    "debitedAccountIdentifier",
    "The invoice is paid by direct debit, but has no account to debit",
    "an IBAN",
    {
      applies: (facts) => hasGermanRules(facts) && pays("direct debit")(facts),
    },
  ),
  {
    id: "BR-DE-20",
    term: "debitedAccountIdentifier",
    isBroken: (document) =>
      getPayment(document)?.code === "59" &&
      document.has("debitedAccountIdentifier") &&
      !isIban(document.text("debitedAccountIdentifier")),
    message: (text) =>
      `The account to debit is "${text.slice(0, 60)}", which is no IBAN`,
    hint: "an IBAN with the right check digits",
  },
  {
    id: "BR-CO-16",
    term: "roundingAmount",
    isBroken: (document, _, { level }) =>
      document.number("roundingAmount")?.isZero() === false &&
      !isIncluded("en16931", level),
    message: "This profile has no rounding amount",
    hint: "nothing, or use the profile EN 16931",
  },
  coded(
    "BR-CL-22",
    "vatExemptionReasonCode",
    VAT_EXEMPTIONS,
    "The reason for not charging VAT",
    "a code of the list VATEX such as VATEX-EU-132, or only a text",
  ),
];

const SKONTO =
  /^#SKONTO#TAGE=\d+#PROZENT=\d+\.\d{2}(?:#BASISBETRAG=-?\d+\.\d{2})?#$/;

function sameAsSeller(
  term: "payeeIdentifier" | "payeeLegalRegistrationIdentifier",
  sellerTerm: DocumentTerm,
): DocumentRule {
  return {
    id: "BR-17",
    term,
    isBroken: (document) =>
      hasPayee(document) &&
      document.has(term) &&
      document.text(term) === document.text(sellerTerm),
    message: "The payee has the same identifier as the seller",
    hint: "the identifier of the payee, or leave out the payee when it is the seller",
  };
}

const TAX_REPRESENTATIVE = [
  "sellerTaxRepresentativeName",
  "sellerTaxRepresentativeVatIdentifier",
  "taxRepresentativeAddressLine1",
  "taxRepresentativeAddressLine2",
  "taxRepresentativeAddressLine3",
  "taxRepresentativeCity",
  "taxRepresentativePostCode",
  "taxRepresentativeCountrySubdivision",
  "taxRepresentativeCountryCode",
] as const;

const DELIVERY_ADDRESS = [
  "deliverToAddressLine1",
  "deliverToAddressLine2",
  "deliverToAddressLine3",
  "deliverToCity",
  "deliverToPostCode",
  "deliverToCountrySubdivision",
] as const;

/** Binary numbers with 15 digits are exact to the cent. */
const MAX_AMOUNT = 9_999_999_999_999.99;

function checkGroups(
  { document, lines }: Invoice,
  facts: Facts,
): EinvoiceProblem[] {
  const problems: EinvoiceProblem[] = [];
  if (lines.length === 0)
    problems.push({
      path: "$.einvoice.map.lines",
      term: "lines",
      code: "BR-16",
      message: "The invoice has no lines (BR-16).",
      hint: 'Map `lines` to the list of its items, such as "each": "line in root.lines", and fill that list.',
    });
  const { lineTotal, withVat, lines: calculated } = facts.totals;
  const amounts = [lineTotal, withVat, ...calculated.map(({ net }) => net)];
  if (amounts.some((amount) => amount.abs().greaterThan(MAX_AMOUNT)))
    problems.push({
      path: "$.einvoice.map.lines",
      term: "lines",
      code: "amount_too_large",
      message: `The invoice has amounts above ${MAX_AMOUNT}, which programs that read it cannot add up to the cent.`,
      hint: "Check prices and quantities, or divide it into several invoices.",
    });
  for (const note of document.list("notes"))
    problems.push(...apply(NOTE_RULES, note, null, facts));
  for (const preceding of document.list("precedingInvoices"))
    problems.push(...apply(PRECEDING_RULES, preceding, null, facts));
  for (const supporting of document.list("supportingDocuments"))
    problems.push(...apply(SUPPORTING_RULES, supporting, null, facts));
  const [allowanceRules, chargeRules] = ALLOWANCE_RULES;
  for (const allowance of document.list("documentAllowances"))
    problems.push(
      ...apply(allowanceRules, allowance, lineTotal, facts),
      ...apply(ALLOWANCE_VAT_RULES, allowance, facts.totals, facts),
    );
  for (const charge of document.list("documentCharges"))
    problems.push(
      ...apply(chargeRules, charge, lineTotal, facts),
      ...apply(ALLOWANCE_VAT_RULES, charge, facts.totals, facts),
    );
  return problems;
}

const NOTE_RULES: readonly Rule<"note" | "noteSubjectCode", unknown>[] = [
  required("BR-CL-08", "note", "A note has a subject, but no text", "a text"),
  coded(
    "BR-CL-08",
    "noteSubjectCode",
    NOTE_SUBJECTS,
    "The subject of a note",
    "a code of UNTDID 4451 such as AAI",
  ),
];

const PRECEDING_RULES: readonly Rule<"precedingInvoiceReference", unknown>[] = [
  required(
    "BR-55",
    "precedingInvoiceReference",
    "A preceding invoice has no number",
    "such as RE-2026-001",
  ),
];

const SUPPORTING_RULES: readonly Rule<
  "supportingDocumentReference",
  unknown
>[] = [
  required(
    "BR-52",
    "supportingDocumentReference",
    "A supporting document has no reference",
    "a name or number",
  ),
];

type AllowanceTerms =
  "amount" | "baseAmount" | "percentage" | "reason" | "reasonCode";

/** About an allowance or charge and the amount that it belongs to. */
function makeAllowanceRules(
  isCharge: boolean,
): Rule<AllowanceTerms, Decimal>[] {
  const what = isCharge ? "A charge" : "An allowance";
  return [
    {
      id: isCharge ? "BR-36" : "BR-31",
      term: "amount",
      isBroken: (entry) => !entry.has("amount") && !entry.has("percentage"),
      message: `${what} has neither an amount nor a percentage`,
      hint: "a positive amount",
    },
    {
      id: isCharge ? "BR-36" : "BR-31",
      term: "amount",
      // What is taken back, with its allowances and charges, is negative.
      isBroken: (entry, whole) =>
        entry.number("amount")?.lessThan(0) === true &&
        !whole.lessThan(0) &&
        !entry.has("percentage"),
      message: `${what} is negative`,
      hint: "a positive amount",
    },
    {
      id: isCharge ? "BR-38" : "BR-33",
      term: "reason",
      isBroken: (entry) => !entry.has("reason") && !entry.has("reasonCode"),
      message: `${what} has no reason`,
      hint: isCharge ? 'a text such as "Freight"' : 'a text such as "Discount"',
    },
    {
      id: isCharge ? "BR-CL-20" : "BR-CL-19",
      term: "reasonCode",
      isBroken: (entry) =>
        entry.has("reasonCode") &&
        !(isCharge ? CHARGE_REASONS : ALLOWANCE_REASONS).has(
          entry.text("reasonCode"),
        ),
      message: (text) =>
        `The reason code is "${text.slice(0, 60)}", which is not on the list`,
      hint: isCharge
        ? "a code of UNTDID 7161 such as FC for freight, or only a text"
        : "a code of UNTDID 5189 such as 95 for a discount, or only a text",
    },
  ];
}

const ALLOWANCE_RULES = [
  makeAllowanceRules(false),
  makeAllowanceRules(true),
] as const;

/** Of entries that have VAT of their own. */
function vatRules<Term extends "vatCategoryCode" | "vatRate">(
  what: string,
): Rule<Term | "vatCategoryCode" | "vatRate", unknown>[] {
  return [
    {
      id: "BR-CL-18",
      term: "vatCategoryCode",
      isBroken: (entry) =>
        entry.has("vatCategoryCode") &&
        !EXISTING_CATEGORIES.has(entry.text("vatCategoryCode")),
      message: (text) =>
        `The VAT category of ${what} is "${text.slice(0, 60)}", which is not on the list`,
      hint: CATEGORY_HINT,
    },
    {
      id: "BR-S-05",
      term: "vatRate",
      isBroken: (entry) =>
        entry.text("vatCategoryCode") === "S" &&
        !isPositive(entry.number("vatRate")),
      message: `The VAT category of ${what} is S, but its rate is not above zero`,
      hint: "a rate such as 19",
    },
    {
      id: "BR-E-05",
      term: "vatRate",
      isBroken: (entry) =>
        ["Z", "E", "AE", "K", "G", "O"].includes(
          entry.text("vatCategoryCode"),
        ) && isPositive(entry.number("vatRate")),
      message: `The VAT category of ${what} has no VAT, but its rate is above zero`,
      hint: "0",
    },
    {
      // The rules for UBL allow a rate of 0 %.
      id: "BR-AF-05",
      term: "vatRate",
      applies: ({ profile }) => EINVOICE_PROFILES[profile].syntax === "cii",
      isBroken: (entry) =>
        entry.text("vatCategoryCode") === "L" &&
        !isPositive(entry.number("vatRate")),
      message: `The VAT category of ${what} is L, but its rate is not above zero`,
      hint: "a rate such as 7",
    },
    {
      id: "BR-CO-17",
      term: "vatRate",
      isBroken: (entry) => {
        const rate = entry.number("vatRate");
        return isPositive(rate) && rate.lessThan(1);
      },
      message: (text) =>
        `The VAT rate of ${what} is ${text}, which looks like a fraction`,
      hint: "a percentage such as 19",
    },
    {
      id: "BR-CO-17",
      term: "vatRate",
      isBroken: (entry) => entry.number("vatRate")?.lessThan(0) === true,
      message: `The VAT rate of ${what} is negative`,
      hint: "a percentage such as 19",
    },
  ];
}

const CATEGORY_HINT =
  "S for a rate above zero, Z for a zero rate, E for exempt, AE for reverse charge, K for an intra-community supply, G for an export or O for outside of the scope of VAT";

function isPositive(number: Decimal | null): number is Decimal {
  return number?.greaterThan(0) === true;
}

const ALLOWANCE_VAT_RULES: readonly Rule<
  "vatCategoryCode" | "vatRate",
  Totals
>[] = [
  ...vatRules<"vatCategoryCode" | "vatRate">("an allowance or charge"),
  {
    id: "BR-32",
    term: "vatCategoryCode",
    isBroken: (entry, totals) =>
      entry.has("vatRate") &&
      entry.number("vatRate")?.isZero() === true &&
      readAllowanceVat(entry, totals.lines).category === "",
    message:
      "An allowance or charge has a VAT rate of zero, and no VAT category",
    hint: CATEGORY_HINT,
  },
];

type LineRule = Rule<LineTerm, LineTotals>;

const LINE_RULES: readonly LineRule[] = [
  required(
    "BR-22",
    "invoicedQuantity",
    "A line has no quantity",
    "a number such as 2",
  ),
  coded(
    "BR-CL-23",
    "unitOfMeasureCode",
    UNITS,
    "The unit",
    "a code of UN/ECE Recommendation 20 such as HUR for hours, DAY for days, H87 for pieces or C62 for one",
  ),
  {
    id: "BR-26",
    term: "itemNetPrice",
    isBroken: (line) =>
      !line.has("itemNetPrice") && !line.has("itemGrossPrice"),
    message: "A line has no price",
    hint: "the price of one unit without VAT",
  },
  {
    id: "BR-27",
    term: "itemNetPrice",
    isBroken: (_, { netPrice }) => netPrice.lessThan(0),
    message: "The price of a line is negative",
    hint: "a positive price and a negative quantity",
  },
  {
    id: "BR-28",
    term: "itemGrossPrice",
    isBroken: (line) => line.number("itemGrossPrice")?.lessThan(0) === true,
    message: "The gross price of a line is negative",
    hint: "a positive price and a negative quantity",
  },
  {
    id: "PEPPOL-EN16931-R121",
    term: "itemPriceBaseQuantity",
    isBroken: (line) =>
      line.number("itemPriceBaseQuantity")?.lessThanOrEqualTo(0) === true,
    message: "The quantity that the price refers to is not above zero",
    hint: "a positive number, or nothing for 1",
  },
  {
    id: "BR-CO-04",
    term: "vatCategoryCode",
    isBroken: (line, { category, rate }) =>
      category === "" && !rate.lessThan(0) && !line.isUnreadable("vatRate"),
    message: "A line has a VAT rate of zero or none, and no VAT category",
    hint: CATEGORY_HINT,
  },
  ...vatRules<LineTerm & ("vatCategoryCode" | "vatRate")>("a line"),
  required(
    "BR-25",
    "itemName",
    "A line has no name of the item",
    "the name of the goods or service",
    { from: "basic" },
  ),
  needs(
    "BR-64",
    "itemStandardIdentifier",
    "itemStandardIdentifierScheme",
    "The standard identifier of an item has no scheme",
    "a code of ISO 6523 such as 0160 for a GTIN",
  ),
  coded(
    "BR-CL-21",
    "itemStandardIdentifierScheme",
    IDENTIFIER_SCHEMES,
    "The scheme of an item's standard identifier",
    "a code of ISO 6523 such as 0160 for a GTIN",
  ),
  needs(
    "BR-65",
    "itemClassificationIdentifier",
    "itemClassificationIdentifierScheme",
    "The classification of an item has no scheme",
    "a code of UNTDID 7143 such as STI for CPV",
  ),
  coded(
    "BR-CL-13",
    "itemClassificationIdentifierScheme",
    CLASSIFICATION_SCHEMES,
    "The scheme of an item's classification",
    "a code of UNTDID 7143 such as STI for CPV",
  ),
  coded(
    "BR-CL-15",
    "itemCountryOfOrigin",
    COUNTRIES,
    "The country of origin of an item",
    COUNTRY_HINT,
  ),
  coded(
    "BR-CL-07",
    "lineObjectIdentifierScheme",
    OBJECT_SCHEMES,
    "The scheme of the object of a line",
    "a code of UNTDID 1153 such as ABZ",
  ),
  period("BR-30", "linePeriodStartDate", "linePeriodEndDate"),
  {
    id: "PEPPOL-EN16931-R110",
    term: "linePeriodStartDate",
    applies: isGermanOrPeppol,
    isBroken: (line, _, { document }) =>
      line.has("linePeriodStartDate") &&
      line.text("linePeriodStartDate") <
        document.text("invoicingPeriodStartDate"),
    message: (text) =>
      `The period of a line begins on ${text}, before that of the invoice`,
    hint: "a later date",
  },
  {
    id: "PEPPOL-EN16931-R111",
    term: "linePeriodEndDate",
    applies: isGermanOrPeppol,
    isBroken: (line, _, { document }) =>
      line.has("linePeriodEndDate") &&
      document.has("invoicingPeriodEndDate") &&
      line.text("linePeriodEndDate") > document.text("invoicingPeriodEndDate"),
    message: (text) =>
      `The period of a line ends on ${text}, after that of the invoice`,
    hint: "an earlier date",
  },
];

function checkLine(line: LineTotals, facts: Facts): EinvoiceProblem[] {
  checkBudget();
  const entry: Line = line.entry;
  return [
    ...apply(LINE_RULES, entry, line, facts),
    ...entry
      .list("lineAllowances")
      .flatMap((allowance) =>
        apply(ALLOWANCE_RULES[0], allowance, line.quantity, facts),
      ),
    ...entry
      .list("lineCharges")
      .flatMap((charge) =>
        apply(ALLOWANCE_RULES[1], charge, line.quantity, facts),
      ),
    ...entry
      .list("itemAttributes")
      .flatMap((attribute) =>
        apply(
          [
            needs(
              "BR-54",
              "itemAttributeName",
              "itemAttributeValue",
              "An attribute of an item has no value",
              "a text",
            ),
            needs(
              "BR-54",
              "itemAttributeValue",
              "itemAttributeName",
              "An attribute of an item has no name",
              "a text",
            ),
          ],
          attribute,
          null,
          facts,
        ),
      ),
  ];
}

const CATEGORIES_OF_REASONS: Readonly<Record<string, string>> = {
  "VATEX-EU-G": "G",
  "VATEX-EU-O": "O",
  "VATEX-EU-IC": "K",
  "VATEX-EU-AE": "AE",
  "VATEX-EU-D": "E",
  "VATEX-EU-F": "E",
  "VATEX-EU-I": "E",
  "VATEX-EU-J": "E",
};

/** The rules of one VAT category and rate of the whole invoice. */
function checkVat({ category }: VatSubtotal, facts: Facts): EinvoiceProblem[] {
  const { document, categories } = facts;
  const problems: EinvoiceProblem[] = [];
  const exemption = getExemption(document, category, categories);
  if (
    isIncluded("basic-wl", facts.level) &&
    exemption !== null &&
    exemption.reason === "" &&
    exemption.code === ""
  )
    problems.push(
      toProblem(
        {
          id: "BR-E-10",
          term: "vatExemptionReason",
          message: "The invoice is exempt from VAT, but does not say why",
          hint: "the reason, such as the paragraph of the law",
        },
        document,
      ),
    );
  const reasonCategory = CATEGORIES_OF_REASONS[exemption?.code ?? ""];
  if (
    isPeppol(facts) &&
    reasonCategory !== undefined &&
    reasonCategory !== category
  )
    problems.push(
      toProblem(
        {
          id: "PEPPOL-EN16931-P0104",
          term: "vatExemptionReasonCode",
          message: (text) =>
            `The reason ${text} is that of the VAT category ${reasonCategory}, and the invoice has the category ${category}`,
          hint: "the reason of its category, or nothing",
        },
        document,
      ),
    );
  if (category === "O" && categories.size > 1)
    problems.push({
      path: "$.einvoice.map.lines",
      term: "lines",
      code: "BR-O-11",
      message:
        "Some lines are outside of the scope of VAT and others are not (BR-O-11).",
      hint: "Write two invoices, or use another VAT category.",
    });
  return problems;
}
