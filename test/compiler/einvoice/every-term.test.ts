import { readFileSync } from "node:fs";
import { expect } from "chai";
import type { EinvoiceProfile } from "../../../core/definition/schema/einvoice-terms.js";
import { expectRecorded } from "../support.js";
import { createEinvoices } from "./invoices.js";

// An invoice with every term of EN 16931 in each syntax, and what it becomes. `npm run test:einvoice` has the official rules
// check these files.

interface EveryTerm {
  invoice: object;
  /** In each profile, the invoice with its changes has every term. */
  all: { kind: string; profile: EinvoiceProfile; changes: object }[];
}

const file = new URL("every-term.json", import.meta.url);
const { invoice, all }: EveryTerm = JSON.parse(readFileSync(file, "utf8"));

describe("An e-invoice with every term", () => {
  for (const { kind, profile, changes } of all)
    it(`has each term of ${profile} in its element (${kind})`, () => {
      const record = { ...invoice, ...changes };
      const { problems, einvoice } = createEinvoices(profile)(record);
      expect(problems).to.deep.equal([]);
      const golden = new URL(`golden/${profile}-${kind}.xml`, import.meta.url);
      expectRecorded(einvoice?.xml ?? "", golden);
    });
});
