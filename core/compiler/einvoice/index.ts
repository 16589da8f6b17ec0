import { rootTypes } from "../../definition/expressions/index.js";
import type { ProjectData } from "../../definition/schema/definition-schema.js";
import { EINVOICE_PROFILES } from "../../definition/schema/einvoice-terms.js";
import { PlatenError, type Problem } from "../../plugin-api/index.js";
import { assertNumbered, compileStart } from "../start-merge.js";
import type { CheckedEinvoice, MergeOptions } from "../program.js";
import { checkBusinessRules } from "./business-rules.js";
import { calculateTotals } from "./calculate-totals.js";
import { compileReader } from "./read-invoice.js";
import { writeCii } from "./write-cii.js";
import { writeUbl } from "./write-ubl.js";

/** Compiles the e-invoice of a template. @throws PlatenError `invalid_definition`, `invalid_request` when it has none */
export function compileEinvoice(
  definition: ProjectData,
): (data: unknown, options: MergeOptions) => CheckedEinvoice {
  const { einvoice, schema } = definition;
  if (einvoice === undefined)
    throw new PlatenError(
      "invalid_request",
      "The template has no e-invoice: its definition has no `einvoice`. Add one, or leave out the format xml.",
    );
  const { profile } = einvoice;
  const { level, syntax } = EINVOICE_PROFILES[profile];
  const { currency = "USD" } = definition;
  const start = compileStart(definition);
  const read = compileReader(einvoice.map, level, rootTypes(schema), currency);
  const write = syntax === "cii" ? writeCii : writeUbl;
  return (data, options) => {
    const { root, run } = start(data, options);
    const { invoice, problems: unreadable } = read(root);
    assertNumbered(run);
    const { totals, problems: differences } = calculateTotals(invoice);
    const broken = checkBusinessRules(invoice, totals, profile);
    const isUnreadable = ({ path }: Problem) =>
      unreadable.some((problem) => problem.path === path);
    // What is not a number counts as zero, so totals would differ for no reason of their own.
    const isComparable = unreadable.every(
      ({ code }) => code === "invalid_date",
    );
    const problems = [
      ...unreadable,
      ...broken.filter((problem) => !isUnreadable(problem)),
      ...(isComparable ? differences : []),
    ];
    if (problems.length > 0) return { problems, einvoice: null };
    const xml = write(invoice, totals, profile);
    return { problems, einvoice: { profile, xml } };
  };
}
