import type { MergeContext } from "../types.js";

/** One function of the language. */
export interface FunctionDefinition {
  /** How it is written, for messages: `ROUND(number, digits)`. */
  readonly usage: string;
  readonly least: number;
  readonly most: number;
  /** The first argument has to be a number: anything else is reported and counts as empty. */
  readonly takesNumber?: boolean;
  /** Arguments may be missing without a report. */
  readonly expectsMissing?: boolean;
  /** Arguments may be lists: `root.lines.name` stands for all names. */
  readonly takesLists?: boolean;
  /** What is wrong with arguments that are written as literals (the others are undefined); null when nothing is. */
  readonly check?: (literals: readonly unknown[]) => string | null;
  /** `where` is the JSON path of the component, for errors. */
  readonly call: (
    args: readonly unknown[],
    context: MergeContext,
    where: string,
  ) => unknown;
}
