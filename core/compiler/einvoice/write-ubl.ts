import type { Decimal } from "decimal.js";
import {
  EINVOICE_PROFILES,
  type EinvoiceProfile,
} from "../../definition/schema/einvoice-terms.js";
import type {
  Allowance,
  DocumentAllowance,
  LineTotals,
  Totals,
  VatKind,
} from "./calculate-totals.js";
import {
  type AddressOwner,
  getAddressScheme,
  getExemption,
  getPayment,
  getPaymentTerms,
  hasPayee,
  readAddress,
} from "./derived-terms.js";
import type { Invoice } from "./read-invoice.js";
import { BILLING_PROCESS } from "./write-cii.js";
import { writeXml, type XmlNode } from "./write-xml.js";

// An invoice in the syntax UBL 2.1. The elements are in the order of its schemas; empty elements are not written.

const COMPONENTS = "urn:oasis:names:specification:ubl:schema:xsd:Common";

/** The types of documents that are credit notes in UBL. */
const CREDIT_NOTE_TYPES: ReadonlySet<string> = new Set(
  "81 83 261 262 296 308 381 396 420 458 532".split(" "),
);

type Children = { readonly [name: string]: XmlNode | readonly XmlNode[] };

export function writeUbl(
  invoice: Invoice,
  totals: Totals,
  profile: EinvoiceProfile,
): string {
  const { document } = invoice;
  const type = document.text("invoiceTypeCode") || "380";
  const name = CREDIT_NOTE_TYPES.has(type) ? "CreditNote" : "Invoice";
  return writeXml(
    name,
    {
      "": `urn:oasis:names:specification:ubl:schema:xsd:${name}-2`,
      cac: `${COMPONENTS}AggregateComponents-2`,
      cbc: `${COMPONENTS}BasicComponents-2`,
    },
    {
      "cbc:CustomizationID": EINVOICE_PROFILES[profile].specification,
      "cbc:ProfileID": document.text("businessProcessType") || BILLING_PROCESS,
      "cbc:ID": document.text("invoiceNumber"),
      "cbc:IssueDate": document.text("issueDate"),
      ...(name === "Invoice"
        ? writeInvoiceHead(invoice, type, profile)
        : writeCreditNoteHead(invoice, type, profile)),
      "cac:AccountingSupplierParty": {
        "cac:Party": writeParty(invoice, "seller"),
      },
      "cac:AccountingCustomerParty": {
        "cac:Party": writeParty(invoice, "buyer"),
      },
      ...writeRest(invoice, totals, name),
    },
  );
}

function writeInvoiceHead(
  { document }: Invoice,
  type: string,
  profile: EinvoiceProfile,
): Children {
  const text = document.text.bind(document);
  return {
    "cbc:DueDate": text("paymentDueDate"),
    "cbc:InvoiceTypeCode": type,
    "cbc:Note": writeNotes(document, profile),
    "cbc:TaxPointDate": text("taxPointDate"),
    ...writeReferences(document),
    "cac:DespatchDocumentReference": reference(text("despatchAdviceReference")),
    "cac:ReceiptDocumentReference": reference(text("receivingAdviceReference")),
    "cac:OriginatorDocumentReference": reference(text("tenderOrLotReference")),
    "cac:ContractDocumentReference": reference(text("contractReference")),
    "cac:AdditionalDocumentReference": writeDocuments(document),
    "cac:ProjectReference": reference(text("projectReference")),
  };
}

/** A credit note has no project: it is a document of type 50. */
function writeCreditNoteHead(
  { document }: Invoice,
  type: string,
  profile: EinvoiceProfile,
): Children {
  const text = document.text.bind(document);
  const project = text("projectReference");
  return {
    "cbc:TaxPointDate": text("taxPointDate"),
    "cbc:CreditNoteTypeCode": type,
    "cbc:Note": writeNotes(document, profile),
    ...writeReferences(document),
    "cac:DespatchDocumentReference": reference(text("despatchAdviceReference")),
    "cac:ReceiptDocumentReference": reference(text("receivingAdviceReference")),
    "cac:ContractDocumentReference": reference(text("contractReference")),
    "cac:AdditionalDocumentReference": [
      ...writeDocuments(document),
      project === ""
        ? undefined
        : { "cbc:ID": project, "cbc:DocumentTypeCode": "50" },
    ],
    "cac:OriginatorDocumentReference": reference(text("tenderOrLotReference")),
  };
}

/** Peppol allows one note. */
function writeNotes(
  document: Invoice["document"],
  profile: EinvoiceProfile,
): string[] {
  const notes = document.list("notes").map((note) => {
    const subject = note.text("noteSubjectCode");
    return (subject === "" ? "" : `#${subject}#`) + note.text("note");
  });
  return profile === "peppol-bis-3" && notes.length > 0
    ? [notes.join("\n")]
    : notes;
}

/** The codes of UNTDID 2005 that mean those of UNTDID 2475. */
const TAX_POINTS: Readonly<Record<string, string>> = {
  5: "3",
  29: "35",
  72: "432",
};

/** From the currency to the preceding invoices. */
function writeReferences(document: Invoice["document"]): Children {
  const text = document.text.bind(document);
  const order = text("purchaseOrderReference");
  const sales = text("salesOrderReference");
  const taxPoint = text("taxPointDateCode");
  return {
    "cbc:DocumentCurrencyCode": text("currencyCode"),
    "cbc:TaxCurrencyCode": text("vatAccountingCurrencyCode"),
    "cbc:AccountingCost": text("buyerAccountingReference"),
    "cbc:BuyerReference": text("buyerReference"),
    "cac:InvoicePeriod": {
      "cbc:StartDate": text("invoicingPeriodStartDate"),
      "cbc:EndDate": text("invoicingPeriodEndDate"),
      "cbc:DescriptionCode": TAX_POINTS[taxPoint] ?? taxPoint,
    },
    "cac:OrderReference": {
      // The schema requires an order; EN 16931 knows sales orders without one.
      "cbc:ID": order || (sales === "" ? "" : "NA"),
      "cbc:SalesOrderID": sales,
    },
    "cac:BillingReference": document
      .list("precedingInvoices")
      .map((precedingInvoice) => ({
        "cac:InvoiceDocumentReference": {
          "cbc:ID": precedingInvoice.text("precedingInvoiceReference"),
          "cbc:IssueDate": precedingInvoice.text("precedingInvoiceIssueDate"),
        },
      })),
  };
}

function writeDocuments(document: Invoice["document"]): XmlNode[] {
  const object = document.text("invoicedObjectIdentifier");
  return [
    object === ""
      ? undefined
      : {
          "cbc:ID": identifier(
            object,
            document.text("invoicedObjectIdentifierScheme"),
          ),
          "cbc:DocumentTypeCode": "130",
        },
    ...document.list("supportingDocuments").map((supportingDocument) => ({
      "cbc:ID": supportingDocument.text("supportingDocumentReference"),
      "cbc:DocumentDescription": supportingDocument.text(
        "supportingDocumentDescription",
      ),
      "cac:Attachment": {
        "cac:ExternalReference": {
          "cbc:URI": supportingDocument.text("externalDocumentLocation"),
        },
      },
    })),
  ];
}

function reference(text: string): XmlNode {
  return { "cbc:ID": text };
}

function identifier(text: string, scheme: string): XmlNode {
  return { ...(scheme !== "" && { "@schemeID": scheme }), "#text": text };
}

const VAT_SCHEME = { "cac:TaxScheme": { "cbc:ID": "VAT" } };

function taxScheme(text: string, scheme: string): XmlNode {
  if (text === "") return undefined;
  return { "cbc:CompanyID": text, "cac:TaxScheme": { "cbc:ID": scheme } };
}

function writeParty({ document }: Invoice, party: "seller" | "buyer"): XmlNode {
  const text = document.text.bind(document);
  const isSeller = party === "seller";
  const isDebit = isSeller && getPayment(document)?.kind === "direct debit";
  const creditor = text("bankAssignedCreditorIdentifier");
  return {
    "cbc:EndpointID": endpoint(
      text(`${party}ElectronicAddress`),
      text(`${party}ElectronicAddressScheme`),
    ),
    "cac:PartyIdentification": [
      {
        "cbc:ID": identifier(
          text(`${party}Identifier`),
          text(`${party}IdentifierScheme`),
        ),
      },
      isDebit ? { "cbc:ID": identifier(creditor, "SEPA") } : undefined,
    ],
    "cac:PartyName": { "cbc:Name": text(`${party}TradingName`) },
    "cac:PostalAddress": address(document, party),
    "cac:PartyTaxScheme": [
      taxScheme(text(`${party}VatIdentifier`), "VAT"),
      isSeller
        ? taxScheme(text("sellerTaxRegistrationIdentifier"), "TAX")
        : undefined,
    ],
    "cac:PartyLegalEntity": {
      "cbc:RegistrationName": text(`${party}Name`),
      "cbc:CompanyID": identifier(
        text(`${party}LegalRegistrationIdentifier`),
        text(`${party}LegalRegistrationIdentifierScheme`),
      ),
      "cbc:CompanyLegalForm": isSeller
        ? text("sellerAdditionalLegalInformation")
        : undefined,
    },
    "cac:Contact": {
      "cbc:Name": text(`${party}ContactPoint`),
      "cbc:Telephone": text(`${party}ContactTelephoneNumber`),
      "cbc:ElectronicMail": text(`${party}ContactEmailAddress`),
    },
  };
}

function endpoint(text: string, scheme: string): XmlNode {
  return identifier(text, getAddressScheme(text, scheme));
}

function address(document: Invoice["document"], owner: AddressOwner): XmlNode {
  const parts = readAddress(document, owner);
  return {
    "cbc:StreetName": parts.line1,
    "cbc:AdditionalStreetName": parts.line2,
    "cbc:CityName": parts.city,
    "cbc:PostalZone": parts.postCode,
    "cbc:CountrySubentity": parts.subdivision,
    "cac:AddressLine": { "cbc:Line": parts.line3 },
    "cac:Country": { "cbc:IdentificationCode": parts.country },
  };
}

/** From the payee to the lines. */
function writeRest(
  { document }: Invoice,
  totals: Totals,
  name: "Invoice" | "CreditNote",
): Children {
  const text = document.text.bind(document);
  const currency = text("currencyCode");
  const money = (amount: Decimal): XmlNode => inCurrency(amount, currency);
  const unlessZero = (amount: Decimal): XmlNode =>
    amount.isZero() ? undefined : money(amount);
  return {
    "cac:PayeeParty": !hasPayee(document)
      ? undefined
      : {
          "cac:PartyIdentification": {
            "cbc:ID": identifier(
              text("payeeIdentifier"),
              text("payeeIdentifierScheme"),
            ),
          },
          "cac:PartyName": { "cbc:Name": text("payeeName") },
          "cac:PartyLegalEntity": {
            "cbc:CompanyID": identifier(
              text("payeeLegalRegistrationIdentifier"),
              text("payeeLegalRegistrationIdentifierScheme"),
            ),
          },
        },
    "cac:TaxRepresentativeParty": {
      "cac:PartyName": { "cbc:Name": text("sellerTaxRepresentativeName") },
      "cac:PostalAddress": address(document, "taxRepresentative"),
      "cac:PartyTaxScheme": taxScheme(
        text("sellerTaxRepresentativeVatIdentifier"),
        "VAT",
      ),
    },
    "cac:Delivery": {
      "cbc:ActualDeliveryDate": text("actualDeliveryDate"),
      "cac:DeliveryLocation": {
        "cbc:ID": identifier(
          text("deliverToLocationIdentifier"),
          text("deliverToLocationIdentifierScheme"),
        ),
        "cac:Address": address(document, "deliverTo"),
      },
      "cac:DeliveryParty": {
        "cac:PartyName": { "cbc:Name": text("deliverToPartyName") },
      },
    },
    "cac:PaymentMeans": writePayment(document, name),
    "cac:PaymentTerms": { "cbc:Note": getPaymentTerms(document) },
    "cac:AllowanceCharge": totals.allowances.map((allowance) =>
      writeDocumentAllowance(allowance, currency),
    ),
    "cac:TaxTotal": writeVat(document, totals, currency),
    "cac:LegalMonetaryTotal": {
      "cbc:LineExtensionAmount": money(totals.lineTotal),
      "cbc:TaxExclusiveAmount": money(totals.withoutVat),
      "cbc:TaxInclusiveAmount": money(totals.withVat),
      "cbc:AllowanceTotalAmount": unlessZero(totals.allowanceTotal),
      "cbc:ChargeTotalAmount": unlessZero(totals.chargeTotal),
      "cbc:PrepaidAmount": unlessZero(totals.paid),
      "cbc:PayableRoundingAmount": unlessZero(totals.rounding),
      "cbc:PayableAmount": money(totals.due),
    },
    [`cac:${name}Line`]: totals.lines.map((line, index) =>
      writeLine(line, index, name, currency),
    ),
  };
}

function inCurrency(amount: Decimal, currency: string): XmlNode {
  return { "@currencyID": currency, "#text": amount.toFixed(2) };
}

function writePayment(
  document: Invoice["document"],
  name: "Invoice" | "CreditNote",
): XmlNode {
  const payment = getPayment(document);
  if (payment === null) return undefined;
  const text = document.text.bind(document);
  const meaning = text("paymentMeansText");
  const { kind } = payment;
  return {
    "cbc:PaymentMeansCode":
      meaning === ""
        ? payment.code
        : { "@name": meaning, "#text": payment.code },
    ...(name === "CreditNote" && {
      "cbc:PaymentDueDate": text("paymentDueDate"),
    }),
    "cbc:PaymentID": text("remittanceInformation"),
    ...(kind === "card" && {
      "cac:CardAccount": {
        "cbc:PrimaryAccountNumberID": text("paymentCardPrimaryAccountNumber"),
        "cbc:NetworkID": "NA",
        "cbc:HolderName": text("paymentCardHolderName"),
      },
    }),
    ...((kind === "transfer" || kind === "other") && {
      "cac:PayeeFinancialAccount": {
        "cbc:ID": text("paymentAccountIdentifier"),
        "cbc:Name": text("paymentAccountName"),
        "cac:FinancialInstitutionBranch": {
          "cbc:ID": text("paymentServiceProviderIdentifier"),
        },
      },
    }),
    ...(kind === "direct debit" && {
      "cac:PaymentMandate": {
        "cbc:ID": text("mandateReferenceIdentifier"),
        "cac:PayerFinancialAccount": {
          "cbc:ID": text("debitedAccountIdentifier"),
        },
      },
    }),
  };
}

function writeVat(
  document: Invoice["document"],
  { vat, vatTotal }: Totals,
  currency: string,
): XmlNode[] {
  const categories = new Set(vat.map(({ category }) => category));
  const accounting = document.text("vatAccountingCurrencyCode");
  const accountingVat = document.number(
    "invoiceTotalVatAmountInAccountingCurrency",
  );
  return [
    {
      "cbc:TaxAmount": inCurrency(vatTotal, currency),
      "cac:TaxSubtotal": vat.map(({ category, rate, taxable, tax }) => {
        const exemption = getExemption(document, category, categories);
        return {
          "cbc:TaxableAmount": inCurrency(taxable, currency),
          "cbc:TaxAmount": inCurrency(tax, currency),
          "cac:TaxCategory": {
            "cbc:ID": category,
            "cbc:Percent": rate.toFixed(),
            "cbc:TaxExemptionReasonCode": exemption?.code,
            "cbc:TaxExemptionReason": exemption?.reason,
            ...VAT_SCHEME,
          },
        };
      }),
    },
    accounting === "" || accountingVat === null
      ? undefined
      : { "cbc:TaxAmount": inCurrency(accountingVat, accounting) },
  ];
}

/** What is outside of the scope of VAT has no rate. */
function writeRate({ category, rate }: VatKind): string | undefined {
  return category === "O" ? undefined : rate.toFixed();
}

function writeTaxCategory(vat: VatKind): XmlNode {
  return {
    "cbc:ID": vat.category,
    "cbc:Percent": writeRate(vat),
    ...VAT_SCHEME,
  };
}

function writeAllowance(
  { isCharge, amount, base, reason, reasonCode }: Allowance,
  currency: string,
): Children {
  return {
    "cbc:ChargeIndicator": String(isCharge),
    "cbc:AllowanceChargeReasonCode": reasonCode,
    "cbc:AllowanceChargeReason": reason,
    "cbc:MultiplierFactorNumeric": base?.percentage.toFixed(),
    "cbc:Amount": inCurrency(amount, currency),
    "cbc:BaseAmount": base ? inCurrency(base.amount, currency) : undefined,
  };
}

function writeDocumentAllowance(
  allowance: DocumentAllowance,
  currency: string,
): XmlNode {
  return {
    ...writeAllowance(allowance, currency),
    "cac:TaxCategory": writeTaxCategory(allowance),
  };
}

function writeLine(
  { entry, quantity, netPrice, net, allowances, ...vat }: LineTotals,
  index: number,
  name: "Invoice" | "CreditNote",
  currency: string,
): XmlNode {
  const text = entry.text.bind(entry);
  const unit = text("unitOfMeasureCode") || "C62";
  const gross = entry.number("itemGrossPrice");
  const discount = entry.number("itemPriceDiscount");
  const baseQuantity = entry.number("itemPriceBaseQuantity");
  const object = text("lineObjectIdentifier");
  return {
    "cbc:ID": text("lineIdentifier") || String(index + 1),
    "cbc:Note": text("lineNote"),
    [name === "Invoice" ? "cbc:InvoicedQuantity" : "cbc:CreditedQuantity"]: {
      "@unitCode": unit,
      "#text": quantity.toFixed(),
    },
    "cbc:LineExtensionAmount": inCurrency(net, currency),
    "cbc:AccountingCost": text("lineBuyerAccountingReference"),
    "cac:InvoicePeriod": {
      "cbc:StartDate": text("linePeriodStartDate"),
      "cbc:EndDate": text("linePeriodEndDate"),
    },
    "cac:OrderLineReference": {
      "cbc:LineID": text("purchaseOrderLineReference"),
    },
    "cac:DocumentReference":
      object === ""
        ? undefined
        : {
            "cbc:ID": identifier(object, text("lineObjectIdentifierScheme")),
            "cbc:DocumentTypeCode": "130",
          },
    "cac:AllowanceCharge": allowances.map((allowance) =>
      writeAllowance(allowance, currency),
    ),
    "cac:Item": {
      "cbc:Description": text("itemDescription"),
      "cbc:Name": text("itemName"),
      "cac:BuyersItemIdentification": reference(text("itemBuyersIdentifier")),
      "cac:SellersItemIdentification": reference(text("itemSellersIdentifier")),
      "cac:StandardItemIdentification": {
        "cbc:ID": identifier(
          text("itemStandardIdentifier"),
          text("itemStandardIdentifierScheme"),
        ),
      },
      "cac:OriginCountry": {
        "cbc:IdentificationCode": text("itemCountryOfOrigin"),
      },
      "cac:CommodityClassification": {
        "cbc:ItemClassificationCode": {
          "@listID": text("itemClassificationIdentifierScheme"),
          "#text": text("itemClassificationIdentifier"),
        },
      },
      "cac:ClassifiedTaxCategory": writeTaxCategory(vat),
      "cac:AdditionalItemProperty": entry
        .list("itemAttributes")
        .map((attribute) => ({
          "cbc:Name": attribute.text("itemAttributeName"),
          "cbc:Value": attribute.text("itemAttributeValue"),
        })),
    },
    "cac:Price": {
      "cbc:PriceAmount": {
        "@currencyID": currency,
        "#text": netPrice.toFixed(),
      },
      "cbc:BaseQuantity": baseQuantity
        ? { "@unitCode": unit, "#text": baseQuantity.toFixed() }
        : undefined,
      ...(gross &&
        discount && {
          "cac:AllowanceCharge": {
            "cbc:ChargeIndicator": "false",
            "cbc:Amount": {
              "@currencyID": currency,
              "#text": discount.toFixed(),
            },
            "cbc:BaseAmount": {
              "@currencyID": currency,
              "#text": gross.toFixed(),
            },
          },
        }),
    },
  };
}
