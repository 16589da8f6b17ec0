import type {
  DataCollection,
  EinvoiceMap,
} from "../../../../core/plugin-api/definition.js";

// The fields that a schema probably has for the terms of an e-invoice, by their names in English, German, French and
// Spanish.

interface Named {
  /** `root.customer.name` */
  path: string;
  /** The field's name without separators: `vatid`. */
  name: string;
}

type Guesses = Readonly<Record<string, RegExp>>;

const INVOICE: Guesses = {
  invoiceNumber:
    /^(?:invoice|credit|rechnungs?|facture|factura|beleg)?(?:number|no|nr|nummer|numero|num)$/,
  issueDate:
    /^(?:issuedon|issued|issuedate|invoicedate|dateofissue|date|rechnungsdatum|datum|dateemission|datefacture|fecha|fechaemision)$/,
  paymentDueDate:
    /^(?:dueon|due|duedate|payby|faellig.*|fällig.*|zahlungsziel|echeance|dateecheance|échéance|vencimiento|fechavencimiento)$/,
  currencyCode: /^(?:currency|waehrung|währung|devise|moneda)(?:code)?$/,
  buyerReference:
    /^(?:leitwegid|leitweg|buyerreference|customernumber|kundennummer)$/,
  purchaseOrderReference:
    /^(?:ordernumber|purchaseorder|ponumber|bestellnummer|bestellung|commande|boncommande|pedido)$/,
  contractReference:
    /^(?:contract|contractnumber|vertrag|vertragsnummer|contrat|contrato)$/,
  actualDeliveryDate:
    /^(?:deliveredon|deliverydate|delivered|lieferdatum|leistungsdatum|livraison|datelivraison|entrega|fechaentrega)$/,
  paymentTerms:
    /^(?:terms|paymentterms|zahlungsbedingungen|conditions|condiciones)$/,
  paidAmount:
    /^(?:paid|prepaid|deposit|anzahlung|acompte|anticipo)(?:amount)?$/,
  invoiceTotalAmountWithoutVat:
    /^(?:net|nettotal|totalnet|subtotalnet|netto|nettobetrag|totalht|neto)$/,
  invoiceTotalAmountWithVat:
    /^(?:total|grandtotal|totalamount|gross|grosstotal|gesamt|gesamtbetrag|brutto|totalttc|importetotal)$/,
  amountDueForPayment:
    /^(?:due(?:amount)|amountdue|balance|zahlbetrag|netapayer)$/,
};

const PARTY: Guesses = {
  Name: /^(?:name|company|companyname|firma|raisonsociale|nom|nombre|empresa)$/,
  VatIdentifier:
    /^(?:vatid|vat|vatnumber|ustid|ustidnr|tva|numerotva|nif|nifiva|cif)$/,
  AddressLine1:
    /^(?:street|address|addressline1|strasse|straße|rue|adresse|calle|direccion)$/,
  PostCode:
    /^(?:postcode|postalcode|zip|zipcode|plz|postleitzahl|codepostal|codigopostal|cp)$/,
  City: /^(?:city|town|ort|stadt|ville|ciudad)$/,
  CountryCode: /^(?:country|countrycode|land|pays|pais|país)$/,
  ElectronicAddress: /^(?:email|mail|emailaddress|courriel|correo)$/,
  ContactPoint:
    /^(?:contact|contactname|ansprechpartner|interlocuteur|contacto)$/,
};

const SELLER: Guesses = {
  sellerContactTelephoneNumber:
    /^(?:phone|telephone|tel|telefon|téléphone|telefono|teléfono)$/,
  sellerContactEmailAddress: PARTY["ElectronicAddress"] ?? /^$/,
  sellerTaxRegistrationIdentifier: /^(?:taxnumber|steuernummer|stnr)$/,
};

const BANK: Guesses = {
  paymentAccountIdentifier:
    /^(?:iban|account|accountnumber|konto|compte|cuenta)$/,
  paymentServiceProviderIdentifier: /^(?:bic|swift)$/,
};

const LINE: Guesses = {
  itemName:
    /^(?:name|item|title|product|description|bezeichnung|artikel|leistung|designation|désignation|article|concepto|articulo|producto)$/,
  itemSellersIdentifier:
    /^(?:sku|articlenumber|itemnumber|code|artikelnummer|reference|référence|referencia)$/,
  invoicedQuantity:
    /^(?:quantity|qty|amountofitems|hours|menge|anzahl|quantite|quantité|cantidad)$/,
  unitOfMeasureCode: /^(?:unit|einheit|unite|unité|unidad)$/,
  itemNetPrice:
    /^(?:price|unitprice|rate|netprice|preis|einzelpreis|prix|prixunitaire|precio|preciounitario)$/,
  vatRate:
    /^(?:taxrate|vatrate|vat|tax|ust|ustsatz|mwst|steuersatz|tva|tauxtva|iva|tipoiva)$/,
  lineNetAmount:
    /^(?:amount|total|linetotal|netamount|betrag|summe|montant|importe)$/,
};

const ALLOWANCE: Guesses = {
  amount: /^(?:amount|value|betrag|montant|importe)$/,
  percentage: /^(?:percent|percentage|rate|prozent|pourcentage|porcentaje)$/,
  reason: /^(?:label|reason|name|title|grund|motif|motivo)$/,
};

const VAT: Guesses = {
  vatCategoryRate: /^(?:rate|percent|taxrate|satz|taux|tipo)$/,
  vatCategoryTaxableAmount: /^(?:base|net|taxable|netto|ht)$/,
  vatCategoryTaxAmount: /^(?:amount|tax|vat|betrag|montant|importe|ust)$/,
};

const SELLERS =
  /^(?:seller|sender|company|supplier|from|verkaeufer|verkäufer|absender|firma|vendeur|emetteur|vendedor|emisor)$/;
const BUYERS =
  /^(?:customer|buyer|client|recipient|billto|to|kunde|kaeufer|käufer|empfaenger|empfänger|acheteur|destinataire|cliente|comprador)$/;
const BANKS = /^(?:bank|payment|bankaccount|konto|banque|banco)$/;
const LINES =
  /^(?:lines|items|positions|lineitems|positionen|posten|lignes|articles|lineas|líneas|conceptos)$/;
const ALLOWANCES =
  /^(?:discount|allowance|rabatt|nachlass|remise|descuento)s?$/;
const TAXES = /^(?:taxes|vat|vatbreakdown|steuern|tva|impuestos)$/;

/** The terms that the schema's names suggest. */
export function guessMap(schema: readonly DataCollection[]): EinvoiceMap {
  const [root] = schema;
  if (!root) return {};
  const map: Record<string, unknown> = guess(INVOICE, list(root, "root"));
  const fill = (terms: Record<string, unknown>) => {
    for (const [term, value] of Object.entries(terms)) map[term] ??= value;
  };
  fill(guess(BANK, list(root, "root")));
  for (const field of root.fields) {
    if (!("target" in field)) continue;
    const target = schema.find(({ id }) => id === field.target);
    if (!target) continue;
    const name = simplify(field.name);
    const path = `root.${field.name}`;
    if (field.type === "OneToManyLink") {
      if (LINES.test(name))
        fill({ lines: guessGroup(LINE, target, "line", path) });
      if (ALLOWANCES.test(name))
        fill({
          documentAllowances: guessGroup(ALLOWANCE, target, "discount", path),
        });
      if (TAXES.test(name))
        fill({ vatBreakdown: guessGroup(VAT, target, "tax", path) });
      continue;
    }
    const fields = list(target, path);
    if (SELLERS.test(name)) {
      fill(guessParty("seller", fields));
      fill(guess(SELLER, fields));
      fill(guess(BANK, fields));
    }
    if (BUYERS.test(name)) fill(guessParty("buyer", fields));
    if (BANKS.test(name)) fill(guess(BANK, fields));
    if (ALLOWANCES.test(name))
      fill({ documentAllowances: guess(ALLOWANCE, fields) });
  }
  return map;
}

function guess(
  guesses: Guesses,
  fields: readonly Named[],
): Record<string, string> {
  const entries = Object.entries(guesses).flatMap(([term, pattern]) => {
    const field = fields.find(({ name }) => pattern.test(name));
    return field ? [[term, field.path] as const] : [];
  });
  return Object.fromEntries(entries);
}

function guessParty(
  owner: "seller" | "buyer",
  fields: readonly Named[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(guess(PARTY, fields)).map(([term, path]) => [
      owner + term,
      path,
    ]),
  );
}

function guessGroup(
  guesses: Guesses,
  collection: DataCollection,
  variable: string,
  path: string,
): Record<string, string> {
  return {
    each: `${variable} in ${path}`,
    ...guess(guesses, list(collection, variable)),
  };
}

/** The fields with values of their own whose names an expression can contain. */
function list({ fields }: DataCollection, path: string): Named[] {
  return fields
    .filter((field) => !("target" in field))
    .map(({ name }) => ({
      path: /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u.test(name)
        ? `${path}.${name}`
        : `${path}[${JSON.stringify(name)}]`,
      name: simplify(name),
    }));
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
