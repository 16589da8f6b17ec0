import { expect } from "chai";
import { Decimal } from "decimal.js";
import { expectAccepted, fc } from "../../support/properties.js";
import { SaxesParser } from "saxes";
import { compileTemplate } from "../../../core/compiler/index.js";
import {
  EINVOICE_PROFILE_NAMES,
  type EinvoiceMap,
  type EinvoiceProfile,
} from "../../../core/plugin-api/definition.js";
import {
  einvoiceDefinition,
  INVOICE,
  invoiceRecords,
} from "../../support/einvoices.js";

const options = { isTest: false, now: new Date("2026-03-12T12:00:00Z") };

function createXml(
  profile: EinvoiceProfile,
  data: object,
  changes: EinvoiceMap = {},
): string {
  const definition = einvoiceDefinition(profile, changes);
  const program = compileTemplate(definition, "document");
  const { problems, einvoice } = program.einvoice(data, options);
  expect(problems).to.deep.equal([]);
  return einvoice?.xml ?? "";
}

/** The texts of all elements, by their paths from below the root, without namespaces. */
function readElements(xml: string): { path: string; text: string }[] {
  const found: { path: string; text: string }[] = [];
  const open: string[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name }) => open.push(name.replace(/^\w+:/, "")));
  parser.on("text", (text) => {
    if (text.trim() !== "") found.push({ path: open.slice(1).join("/"), text });
  });
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  return found;
}

function findAll(xml: string, end: string): string[] {
  return readElements(xml)
    .filter(({ path }) => path.endsWith(end))
    .map(({ text }) => text);
}

function sum(amounts: readonly string[]): string {
  return Decimal.sum(0, ...amounts).toFixed(2);
}

const summation = "SpecifiedTradeSettlementHeaderMonetarySummation/";

describe("The totals of an e-invoice", () => {
  it("add up in every generated invoice", () => {
    fc.assert(
      fc.property(invoiceRecords, (record) => {
        const xml = createXml("factur-x-en16931", record);
        const one = (name: string) => findAll(xml, summation + name)[0] ?? "";
        const lines = findAll(
          xml,
          "SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount",
        );
        expect(sum(lines)).to.equal(one("LineTotalAmount"));
        const bases = findAll(xml, "Settlement/ApplicableTradeTax/BasisAmount");
        expect(sum(bases)).to.equal(one("TaxBasisTotalAmount"));
        const taxes = findAll(xml, "ApplicableTradeTax/CalculatedAmount");
        expect(sum(taxes)).to.equal(one("TaxTotalAmount"));
        expect(
          sum([one("TaxBasisTotalAmount"), one("TaxTotalAmount")]),
        ).to.equal(one("GrandTotalAmount"));
        const paid = new Decimal(one("TotalPrepaidAmount")).negated();
        expect(sum([one("GrandTotalAmount"), paid.toFixed(2)])).to.equal(
          one("DuePayableAmount"),
        );
      }),
      { numRuns: 100 },
    );
  });

  it("are the same in every profile", () => {
    fc.assert(
      fc.property(invoiceRecords, (record) => {
        const totals = EINVOICE_PROFILE_NAMES.map((profile) => {
          const xml = createXml(profile, record);
          const [due] = findAll(xml, "/DuePayableAmount");
          return due ?? findAll(xml, "/PayableAmount")[0];
        });
        expect(new Set(totals).size).to.equal(1);
      }),
      { numRuns: 25 },
    );
  });
});

describe("An e-invoice", () => {
  it("is made or refused for any data", () => {
    // Records with these keys are refused before.
    const values = fc
      .jsonValue({ maxDepth: 3 })
      .filter(
        (value) =>
          !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value)),
      );
    const field = fc.constantFrom(...Object.keys(INVOICE));
    const profiles = fc.constantFrom(...EINVOICE_PROFILE_NAMES);
    expectAccepted(50, (accept) => {
      const check = (
        profile: EinvoiceProfile,
        name: string,
        value: unknown,
      ) => {
        const data = { ...INVOICE, [name]: value };
        const definition = einvoiceDefinition(profile);
        const program = compileTemplate(definition, "document");
        const { einvoice, problems } = program.einvoice(data, options);
        expect(einvoice === null).to.equal(problems.length > 0);
        if (einvoice === null) return;
        accept();
        expect(readElements(einvoice.xml)).not.to.eql([]);
      };
      fc.assert(fc.property(profiles, field, values, check), { numRuns: 500 });
    });
  });
});
