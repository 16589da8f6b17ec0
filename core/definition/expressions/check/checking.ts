import { problemOf } from "../problem.js";
import type { ScopeTypes } from "../schema/scope-types.js";
import type { BindingReport } from "../types.js";

/** What the checker knows around the expression at hand. */
export interface Checking {
  readonly source: string;
  /** Where `source` begins in the string that is checked. */
  readonly from: number;
  readonly types: ScopeTypes;
  readonly report: BindingReport;
  /** Where paths begin; see `resolvePath`. */
  readonly reach: "scope" | "item";
  /** Lists are welcome here: a path may read a field of every record of a collection. */
  readonly takesLists: boolean;
}

/** Runs a part that throws its problem, and reports it; null then. */
export function attempt<T>(report: BindingReport, run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    report.error(problemOf(error));
    return null;
  }
}
