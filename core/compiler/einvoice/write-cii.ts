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
import { isIban } from "./iban.js";
import { type Invoice, isIncluded } from "./read-invoice.js";
import { prune, writeXml, type XmlNode } from "./write-xml.js";

// An invoice in the syntax Cross Industry Invoice (UN/CEFACT D16B). The elements are in the order of its schema; terms
// that the profile does not have are empty here, and empty elements are not written.

const NAMESPACES = {
  rsm: "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
  ram: "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
  udt: "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
  qdt: "urn:un:unece:uncefact:data:standard:QualifiedDataType:100",
};

/** Which process it is part of: an invoice without anything before it. */
export const BILLING_PROCESS = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";

export function writeCii(
  invoice: Invoice,
  totals: Totals,
  profile: EinvoiceProfile,
): string {
  const { level, facturX } = EINVOICE_PROFILES[profile];
  const { document } = invoice;
  const process = document.text("businessProcessType");
  return writeXml("rsm:CrossIndustryInvoice", NAMESPACES, {
    "rsm:ExchangedDocumentContext": {
      "ram:BusinessProcessSpecifiedDocumentContextParameter": {
        "ram:ID": process || (facturX === null ? BILLING_PROCESS : ""),
      },
      "ram:GuidelineSpecifiedDocumentContextParameter": {
        "ram:ID": EINVOICE_PROFILES[profile].specification,
      },
    },
    "rsm:ExchangedDocument": {
      "ram:ID": document.text("invoiceNumber"),
      "ram:TypeCode": document.text("invoiceTypeCode") || "380",
      "ram:IssueDateTime": date(document.text("issueDate")),
      "ram:IncludedNote": document.list("notes").map((note) => ({
        "ram:Content": note.text("note"),
        "ram:SubjectCode": note.text("noteSubjectCode"),
      })),
    },
    "rsm:SupplyChainTradeTransaction": {
      ...(isIncluded("basic", level) && {
        "ram:IncludedSupplyChainTradeLineItem": totals.lines.map(writeLine),
      }),
      "ram:ApplicableHeaderTradeAgreement": writeAgreement(invoice),
      // The schema requires the element, also when it is empty.
      "ram:ApplicableHeaderTradeDelivery":
        prune(writeDelivery(invoice)) ?? null,
      "ram:ApplicableHeaderTradeSettlement": writeSettlement(
        invoice,
        totals,
        profile,
      ),
    },
  });
}

function date(text: string): XmlNode {
  return {
    "udt:DateTimeString": {
      "@format": "102",
      "#text": text.replaceAll("-", ""),
    },
  };
}

function referencedDate(text: string): XmlNode {
  return {
    "qdt:DateTimeString": {
      "@format": "102",
      "#text": text.replaceAll("-", ""),
    },
  };
}

function identifier(text: string, scheme: string): XmlNode {
  return { ...(scheme !== "" && { "@schemeID": scheme }), "#text": text };
}

function money(amount: Decimal): string {
  return amount.toFixed(2);
}

function reference(text: string): XmlNode {
  return { "ram:IssuerAssignedID": text };
}

function writeAgreement({ document }: Invoice): XmlNode {
  const text = document.text.bind(document);
  return {
    "ram:BuyerReference": text("buyerReference"),
    "ram:SellerTradeParty": writeParty(document, "seller"),
    "ram:BuyerTradeParty": writeParty(document, "buyer"),
    "ram:SellerTaxRepresentativeTradeParty": {
      "ram:Name": text("sellerTaxRepresentativeName"),
      "ram:PostalTradeAddress": address(document, "taxRepresentative"),
      "ram:SpecifiedTaxRegistration": {
        "ram:ID": identifier(
          text("sellerTaxRepresentativeVatIdentifier"),
          "VA",
        ),
      },
    },
    "ram:SellerOrderReferencedDocument": reference(text("salesOrderReference")),
    "ram:BuyerOrderReferencedDocument": reference(
      text("purchaseOrderReference"),
    ),
    "ram:ContractReferencedDocument": reference(text("contractReference")),
    "ram:AdditionalReferencedDocument": [
      ...document.list("supportingDocuments").map((supportingDocument) => ({
        "ram:IssuerAssignedID": supportingDocument.text(
          "supportingDocumentReference",
        ),
        "ram:URIID": supportingDocument.text("externalDocumentLocation"),
        "ram:TypeCode": "916",
        "ram:Name": supportingDocument.text("supportingDocumentDescription"),
      })),
      typedReference(text("tenderOrLotReference"), "50"),
      typedReference(
        text("invoicedObjectIdentifier"),
        "130",
        text("invoicedObjectIdentifierScheme"),
      ),
    ],
    "ram:SpecifiedProcuringProject": project(text("projectReference")),
  };
}

function writeParty(
  document: Invoice["document"],
  party: "seller" | "buyer",
): XmlNode {
  const text = document.text.bind(document);
  const isSeller = party === "seller";
  return {
    ...partyIdentifier(
      text(`${party}Identifier`),
      text(`${party}IdentifierScheme`),
    ),
    "ram:Name": text(`${party}Name`),
    "ram:Description": isSeller
      ? text("sellerAdditionalLegalInformation")
      : undefined,
    "ram:SpecifiedLegalOrganization": {
      "ram:ID": identifier(
        text(`${party}LegalRegistrationIdentifier`),
        text(`${party}LegalRegistrationIdentifierScheme`),
      ),
      "ram:TradingBusinessName": text(`${party}TradingName`),
    },
    "ram:DefinedTradeContact": contact(
      text(`${party}ContactPoint`),
      text(`${party}ContactTelephoneNumber`),
      text(`${party}ContactEmailAddress`),
    ),
    "ram:PostalTradeAddress": address(document, party),
    "ram:URIUniversalCommunication": electronicAddress(
      text(`${party}ElectronicAddress`),
      text(`${party}ElectronicAddressScheme`),
    ),
    "ram:SpecifiedTaxRegistration": [
      { "ram:ID": identifier(text(`${party}VatIdentifier`), "VA") },
      isSeller
        ? {
            "ram:ID": identifier(text("sellerTaxRegistrationIdentifier"), "FC"),
          }
        : undefined,
    ],
  };
}

function typedReference(text: string, type: string, scheme?: string): XmlNode {
  if (text === "") return undefined;
  return {
    "ram:IssuerAssignedID": text,
    "ram:TypeCode": type,
    "ram:ReferenceTypeCode": scheme,
  };
}

/** The schema requires a name, which EN 16931 does not have. */
function project(text: string): XmlNode {
  return text === ""
    ? undefined
    : { "ram:ID": text, "ram:Name": "Project reference" };
}

/** Identifiers with a scheme are global. */
function partyIdentifier(
  text: string,
  scheme: string,
): { readonly [name: string]: XmlNode } {
  return scheme === ""
    ? { "ram:ID": text }
    : { "ram:GlobalID": identifier(text, scheme) };
}

function contact(person: string, telephone: string, email: string): XmlNode {
  return {
    "ram:PersonName": person,
    "ram:TelephoneUniversalCommunication": { "ram:CompleteNumber": telephone },
    "ram:EmailURIUniversalCommunication": { "ram:URIID": email },
  };
}

function electronicAddress(text: string, scheme: string): XmlNode {
  return { "ram:URIID": identifier(text, getAddressScheme(text, scheme)) };
}

function address(document: Invoice["document"], owner: AddressOwner): XmlNode {
  const parts = readAddress(document, owner);
  return {
    "ram:PostcodeCode": parts.postCode,
    "ram:LineOne": parts.line1,
    "ram:LineTwo": parts.line2,
    "ram:LineThree": parts.line3,
    "ram:CityName": parts.city,
    "ram:CountryID": parts.country,
    "ram:CountrySubDivisionName": parts.subdivision,
  };
}

function writeDelivery({ document }: Invoice): XmlNode {
  const text = document.text.bind(document);
  return {
    "ram:ShipToTradeParty": {
      ...partyIdentifier(
        text("deliverToLocationIdentifier"),
        text("deliverToLocationIdentifierScheme"),
      ),
      "ram:Name": text("deliverToPartyName"),
      "ram:PostalTradeAddress": address(document, "deliverTo"),
    },
    "ram:ActualDeliverySupplyChainEvent": {
      "ram:OccurrenceDateTime": date(text("actualDeliveryDate")),
    },
    "ram:DespatchAdviceReferencedDocument": reference(
      text("despatchAdviceReference"),
    ),
    "ram:ReceivingAdviceReferencedDocument": reference(
      text("receivingAdviceReference"),
    ),
  };
}

/** The codes of UNTDID 2475 that mean those of UNTDID 2005. */
const TAX_POINTS: Readonly<Record<string, string>> = {
  3: "5",
  35: "29",
  432: "72",
};

function writeSettlement(
  { document }: Invoice,
  totals: Totals,
  profile: EinvoiceProfile,
): XmlNode {
  const { level, facturX } = EINVOICE_PROFILES[profile];
  const text = document.text.bind(document);
  const currency = text("currencyCode");
  if (!isIncluded("basic-wl", level))
    return {
      "ram:InvoiceCurrencyCode": currency,
      "ram:SpecifiedTradeSettlementHeaderMonetarySummation": {
        "ram:TaxBasisTotalAmount": money(totals.withoutVat),
        "ram:TaxTotalAmount": inCurrency(totals.vatTotal, currency),
        "ram:GrandTotalAmount": money(totals.withVat),
        "ram:DuePayableAmount": money(totals.due),
      },
    };
  const categories = new Set(totals.vat.map(({ category }) => category));
  const accounting = text("vatAccountingCurrencyCode");
  const payment = getPayment(document);
  const isDebit = payment?.kind === "direct debit";
  const accountingVat = document.number(
    "invoiceTotalVatAmountInAccountingCurrency",
  );
  return {
    "ram:CreditorReferenceID": isDebit
      ? text("bankAssignedCreditorIdentifier")
      : "",
    "ram:PaymentReference": text("remittanceInformation"),
    "ram:TaxCurrencyCode": accounting,
    "ram:InvoiceCurrencyCode": currency,
    "ram:PayeeTradeParty": !hasPayee(document)
      ? undefined
      : {
          ...partyIdentifier(
            text("payeeIdentifier"),
            text("payeeIdentifierScheme"),
          ),
          "ram:Name": text("payeeName"),
          "ram:SpecifiedLegalOrganization": {
            "ram:ID": identifier(
              text("payeeLegalRegistrationIdentifier"),
              text("payeeLegalRegistrationIdentifierScheme"),
            ),
          },
        },
    "ram:SpecifiedTradeSettlementPaymentMeans": writePayment(document),
    "ram:ApplicableTradeTax": totals.vat.map(
      ({ category, rate, taxable, tax }) => {
        const exemption = getExemption(document, category, categories);
        const point = text("taxPointDateCode");
        return {
          "ram:CalculatedAmount": money(tax),
          "ram:TypeCode": "VAT",
          "ram:ExemptionReason": exemption?.reason,
          "ram:BasisAmount": money(taxable),
          "ram:CategoryCode": category,
          "ram:ExemptionReasonCode": exemption?.code,
          "ram:TaxPointDate": {
            "udt:DateString": {
              "@format": "102",
              "#text": text("taxPointDate").replaceAll("-", ""),
            },
          },
          "ram:DueDateTypeCode": TAX_POINTS[point] ?? point,
          // XRechnung requires a rate in any case.
          "ram:RateApplicablePercent":
            facturX === null ? rate.toFixed() : writeRate({ category, rate }),
        };
      },
    ),
    "ram:BillingSpecifiedPeriod": period(
      text("invoicingPeriodStartDate"),
      text("invoicingPeriodEndDate"),
    ),
    "ram:SpecifiedTradeAllowanceCharge": totals.allowances.map(
      writeDocumentAllowance,
    ),
    "ram:SpecifiedTradePaymentTerms": {
      "ram:Description": getPaymentTerms(document),
      "ram:DueDateDateTime": date(text("paymentDueDate")),
      "ram:DirectDebitMandateID": isDebit
        ? text("mandateReferenceIdentifier")
        : "",
    },
    "ram:SpecifiedTradeSettlementHeaderMonetarySummation": {
      "ram:LineTotalAmount": money(totals.lineTotal),
      "ram:ChargeTotalAmount": money(totals.chargeTotal),
      "ram:AllowanceTotalAmount": money(totals.allowanceTotal),
      "ram:TaxBasisTotalAmount": money(totals.withoutVat),
      "ram:TaxTotalAmount": [
        inCurrency(totals.vatTotal, currency),
        ...(accountingVat !== null && accounting !== ""
          ? [inCurrency(accountingVat, accounting)]
          : []),
      ],
      "ram:RoundingAmount": totals.rounding.isZero()
        ? undefined
        : money(totals.rounding),
      "ram:GrandTotalAmount": money(totals.withVat),
      "ram:TotalPrepaidAmount": money(totals.paid),
      "ram:DuePayableAmount": money(totals.due),
    },
    "ram:InvoiceReferencedDocument": document
      .list("precedingInvoices")
      .map((precedingInvoice) => ({
        "ram:IssuerAssignedID": precedingInvoice.text(
          "precedingInvoiceReference",
        ),
        "ram:FormattedIssueDateTime": referencedDate(
          precedingInvoice.text("precedingInvoiceIssueDate"),
        ),
      })),
    "ram:ReceivableSpecifiedTradeAccountingAccount": {
      "ram:ID": text("buyerAccountingReference"),
    },
  };
}

function inCurrency(amount: Decimal, currency: string): XmlNode {
  return { "@currencyID": currency, "#text": money(amount) };
}

function period(start: string, end: string): XmlNode {
  return { "ram:StartDateTime": date(start), "ram:EndDateTime": date(end) };
}

function writePayment(document: Invoice["document"]): XmlNode {
  const payment = getPayment(document);
  if (payment === null) return undefined;
  const text = document.text.bind(document);
  const account = text("paymentAccountIdentifier");
  const { kind } = payment;
  return {
    "ram:TypeCode": payment.code,
    "ram:Information": text("paymentMeansText"),
    ...(kind === "card" && {
      "ram:ApplicableTradeSettlementFinancialCard": {
        "ram:ID": text("paymentCardPrimaryAccountNumber"),
        "ram:CardholderName": text("paymentCardHolderName"),
      },
    }),
    ...(kind === "direct debit" && {
      "ram:PayerPartyDebtorFinancialAccount": {
        "ram:IBANID": text("debitedAccountIdentifier"),
      },
    }),
    ...((kind === "transfer" || kind === "other") && {
      "ram:PayeePartyCreditorFinancialAccount": {
        "ram:IBANID": isIban(account) ? account : "",
        "ram:AccountName": text("paymentAccountName"),
        "ram:ProprietaryID": isIban(account) ? "" : account,
      },
      "ram:PayeeSpecifiedCreditorFinancialInstitution": {
        "ram:BICID": text("paymentServiceProviderIdentifier"),
      },
    }),
  };
}

/** What is outside of the scope of VAT has no rate. */
function writeRate({ category, rate }: VatKind): string | undefined {
  return category === "O" ? undefined : rate.toFixed();
}

function writeAllowance({
  isCharge,
  amount,
  base,
  reason,
  reasonCode,
}: Allowance): { readonly [name: string]: XmlNode } {
  return {
    "ram:ChargeIndicator": { "udt:Indicator": String(isCharge) },
    "ram:CalculationPercent": base?.percentage.toFixed(),
    "ram:BasisAmount": base ? money(base.amount) : undefined,
    "ram:ActualAmount": money(amount),
    "ram:ReasonCode": reasonCode,
    "ram:Reason": reason,
  };
}

function writeDocumentAllowance(allowance: DocumentAllowance): XmlNode {
  return {
    ...writeAllowance(allowance),
    "ram:CategoryTradeTax": {
      "ram:TypeCode": "VAT",
      "ram:CategoryCode": allowance.category,
      "ram:RateApplicablePercent": writeRate(allowance),
    },
  };
}

function writeLine(
  { entry, quantity, netPrice, net, allowances, ...vat }: LineTotals,
  index: number,
): XmlNode {
  const text = entry.text.bind(entry);
  const unit = text("unitOfMeasureCode") || "C62";
  const baseQuantity = entry.number("itemPriceBaseQuantity");
  const basis =
    baseQuantity === null
      ? undefined
      : { "@unitCode": unit, "#text": baseQuantity.toFixed() };
  const gross = entry.number("itemGrossPrice");
  const discount = entry.number("itemPriceDiscount");
  return {
    "ram:AssociatedDocumentLineDocument": {
      "ram:LineID": text("lineIdentifier") || String(index + 1),
      "ram:IncludedNote": { "ram:Content": text("lineNote") },
    },
    "ram:SpecifiedTradeProduct": {
      "ram:GlobalID": identifier(
        text("itemStandardIdentifier"),
        text("itemStandardIdentifierScheme"),
      ),
      "ram:SellerAssignedID": text("itemSellersIdentifier"),
      "ram:BuyerAssignedID": text("itemBuyersIdentifier"),
      "ram:Name": text("itemName"),
      "ram:Description": text("itemDescription"),
      "ram:ApplicableProductCharacteristic": entry
        .list("itemAttributes")
        .map((attribute) => ({
          "ram:Description": attribute.text("itemAttributeName"),
          "ram:Value": attribute.text("itemAttributeValue"),
        })),
      "ram:DesignatedProductClassification": {
        "ram:ClassCode": {
          "@listID": text("itemClassificationIdentifierScheme"),
          "#text": text("itemClassificationIdentifier"),
        },
      },
      "ram:OriginTradeCountry": { "ram:ID": text("itemCountryOfOrigin") },
    },
    "ram:SpecifiedLineTradeAgreement": {
      "ram:BuyerOrderReferencedDocument": {
        "ram:LineID": text("purchaseOrderLineReference"),
      },
      ...(gross && {
        "ram:GrossPriceProductTradePrice": {
          "ram:ChargeAmount": gross.toFixed(),
          "ram:BasisQuantity": basis,
          ...(discount && {
            "ram:AppliedTradeAllowanceCharge": {
              "ram:ChargeIndicator": { "udt:Indicator": "false" },
              "ram:ActualAmount": discount.toFixed(),
            },
          }),
        },
      }),
      "ram:NetPriceProductTradePrice": {
        "ram:ChargeAmount": netPrice.toFixed(),
        "ram:BasisQuantity": basis,
      },
    },
    "ram:SpecifiedLineTradeDelivery": {
      "ram:BilledQuantity": { "@unitCode": unit, "#text": quantity.toFixed() },
    },
    "ram:SpecifiedLineTradeSettlement": {
      "ram:ApplicableTradeTax": {
        "ram:TypeCode": "VAT",
        "ram:CategoryCode": vat.category,
        "ram:RateApplicablePercent": writeRate(vat),
      },
      "ram:BillingSpecifiedPeriod": period(
        text("linePeriodStartDate"),
        text("linePeriodEndDate"),
      ),
      "ram:SpecifiedTradeAllowanceCharge": allowances.map(writeAllowance),
      "ram:SpecifiedTradeSettlementLineMonetarySummation": {
        "ram:LineTotalAmount": money(net),
      },
      "ram:AdditionalReferencedDocument": typedReference(
        text("lineObjectIdentifier"),
        "130",
        text("lineObjectIdentifierScheme"),
      ),
      "ram:ReceivableSpecifiedTradeAccountingAccount": {
        "ram:ID": text("lineBuyerAccountingReference"),
      },
    },
  };
}
