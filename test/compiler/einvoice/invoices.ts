import {
  EINVOICE_MODEL,
  type EinvoiceProfile,
  type EinvoiceTerm,
} from "../../../core/definition/schema/einvoice-terms.js";
import type { EinvoiceMap } from "../../../core/definition/schema/einvoice-schema.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import { einvoiceDefinition } from "../../support/einvoices.js";

// Records whose fields are the terms of EN 16931, for templates that map each term to the field of its name.

const { terms, groups, lines } = EINVOICE_MODEL;
type Terms = Readonly<Record<string, EinvoiceTerm>>;
type Groups = Readonly<Record<string, { terms: Terms }>>;

function mapTerms(owner: string, given: Terms): Record<string, string> {
  return Object.fromEntries(
    Object.keys(given).map((name) => [name, `${owner}.${name}`]),
  );
}

function mapGroups(owner: string, given: Groups): Record<string, object> {
  return Object.fromEntries(
    Object.entries(given).map(([name, group]) => [
      name,
      { each: `one in ${owner}.${name}`, ...mapTerms("one", group.terms) },
    ]),
  );
}

/** Maps each term to the field of its name, and each group to the list of its name. */
const MAP: EinvoiceMap = {
  ...mapTerms("root", terms),
  ...mapGroups("root", groups),
  lines: {
    each: "line in root.lines",
    ...mapTerms("line", lines.terms),
    ...mapGroups("line", lines.groups),
  },
};

/** The e-invoice of such a record, or its problems. */
export function createEinvoices(profile: EinvoiceProfile) {
  const program = compileTemplate(einvoiceDefinition(profile, MAP), "document");
  const options = { isTest: false, now: new Date("2026-03-12T12:00:00Z") };
  return (record: object) => program.einvoice(record, options);
}
