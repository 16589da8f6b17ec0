import type { Problem } from "../../plugin-api/index.js";
import type { BindingReport, PathRead } from "../expressions/index.js";

/** A path that is read, and the JSON path of the string in which it is written. */
export interface FoundRead extends PathRead {
  path: string;
}

/** What a check found, in the order in which it was found. */
export interface Findings {
  problems: Problem[];
  warnings: Problem[];
  /** For those who ask what a definition reads. */
  reads?: FoundRead[];
}

/** A report for the binding, whose problems know their place in a string but not in the definition. */
export function reportAt(findings: Findings, path: string): BindingReport {
  return {
    error: (problem) => findings.problems.push({ path, ...problem }),
    warning: (problem) => findings.warnings.push({ path, ...problem }),
    read: (read) => findings.reads?.push({ path, ...read }),
    at: (suffix) => reportAt(findings, path + suffix),
  };
}
