import { readFileSync } from "node:fs";
import { expect } from "chai";
import { expectRecorded } from "../support.js";
import { createEinvoices } from "./invoices.js";

// changes.txt has changes of a valid invoice, as JSON, each with what it makes of the invoice in each profile. UPDATE_GOLDEN=1
// writes that anew; the diff shows what changed.

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
    const changes = readFileSync(file, "utf8").match(/^[{#].*/gm) ?? [];
    expect(changes.length).to.be.above(400);
    const profiles = compileProfiles();
    const described = changes.map((one) =>
      one.startsWith("#")
        ? `${one}\n`
        : describeChange(JSON.parse(one), profiles),
    );
    expectRecorded(described.join("\n"), file);
  });
});
