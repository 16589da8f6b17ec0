import type { ScopeTypes } from "../schema/scope-types.js";
import type { Scope } from "../types.js";

/** A compiled expression. Undefined: the data has no such value; null: it is empty. */
export type Evaluator = (scope: Scope) => unknown;

/** What the compiler knows around the expression at hand. */
export interface Surroundings {
  /** The expression's text, for reports. */
  readonly source: string;
  /** JSON path of the component. */
  readonly where: string;
  readonly types: ScopeTypes;
  /** Where paths begin; see `resolvePath`. */
  readonly reach: "scope" | "item";
  /** A missing value is expected here (a test, a default): nothing is reported. */
  readonly isQuiet: boolean;
}

export function quietly(around: Surroundings): Surroundings {
  return around.isQuiet ? around : { ...around, isQuiet: true };
}
