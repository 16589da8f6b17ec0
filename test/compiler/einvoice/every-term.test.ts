import { expect } from "chai";
import { describe, it } from "mocha";
import { expectRecorded } from "../support.js";
import { createEinvoices, EVERY_TERM } from "./invoices.js";

// An invoice with every term of EN 16931 in each syntax, and what it becomes. `npm run test:einvoice` has the official rules
// check these files.

describe("An e-invoice with every term", () => {
  for (const [kind, profile, data] of EVERY_TERM)
    it(`has each term of ${profile} in its element (${kind})`, () => {
      const { problems, einvoice } = createEinvoices(profile)(data);
      expect(problems).to.deep.equal([]);
      const file = new URL(`golden/${profile}-${kind}.xml`, import.meta.url);
      expectRecorded(einvoice?.xml ?? "", file);
    });
});
