import type { PlatenError } from "../../../plugin-api/index.js";
import { bindingError } from "../problem.js";
import type { MergeContext } from "../types.js";

/** Gives a value its printed form; what it cannot format it gives back, to print as it is. */
export type Format = (value: unknown, context: MergeContext) => unknown;

/** One filter of the language. */
export interface FilterDefinition {
  /** How it is written, for messages: `truncate(length, "…")`. */
  readonly usage: string;
  readonly least: number;
  readonly most: number;
  /** Is asked about empty values too; all other filters leave them alone. */
  readonly takesEmpty?: boolean;
  /** Makes the filter for its arguments; one that is undefined takes its default. @throws `argumentError` */
  readonly bind: (args: readonly unknown[]) => Format;
}

export function argumentError(message: string, hint?: string): PlatenError {
  const code = "invalid_arguments";
  return bindingError({ code, message, ...(hint ? { hint } : {}) });
}
