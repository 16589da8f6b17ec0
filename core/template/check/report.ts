import type { Problem } from "../../contract/index.js";
import type { BindingReport } from "../binding/index.js";

/** What a check found, in the order in which it was found. */
export interface Findings {
  problems: Problem[];
  warnings: Problem[];
}

/** A report for the binding, whose problems know their place in a string but not in the definition. */
export function reportAt(findings: Findings, path: string): BindingReport {
  return {
    error: (problem) => findings.problems.push({ path, ...problem }),
    warning: (problem) => findings.warnings.push({ path, ...problem }),
    at: (suffix) => reportAt(findings, path + suffix),
  };
}
