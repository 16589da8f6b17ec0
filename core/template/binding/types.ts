import type { Problem } from "../../contract/index.js";

/** What one merge knows beside the data; shared by every scope of it. */
export interface MergeContext {
  locale: string;
  currency: string;
  timeZone: string;
  now: Date;
  /** Called for each path that had no value; `where` is the JSON path of the component that asked. */
  onMissing(path: string, where: string): void;
  /** Counts loop iterations; throws PlatenError `merge_failed` past the cap. */
  spend(iterations: number): void;
}

/**
 * One level of the data while a document is merged: the root record, or one element of a collection.
 * `item` is read by own enumerable properties only.
 */
export interface Scope {
  readonly id: string; // "root", or the collectionId
  readonly parent: Scope | null;
  readonly item: unknown;
  readonly index: number; // 0-based
  readonly first: boolean;
  readonly last: boolean;
  /** Set in a grouped collection: the group's key and its records. */
  readonly group: { key: unknown; items: readonly unknown[] } | null;
  readonly context: MergeContext;
}

/** Markup that is already safe, made by the `markdown` and `nl2br` filters; `text` is the same without markup. */
export class SafeHtml {
  constructor(
    readonly html: string,
    readonly text: string,
  ) {}
}

/** Where a value is printed; decides how it is escaped. `plain` is not escaped at all (file names, barcodes). */
export type OutputContext = "html" | "attribute" | "url" | "css" | "plain";

/** A problem inside a template string or path, before it is given its JSON path. `column` is 1-based in `expression`. */
export type BindingProblem = Omit<Problem, "path">;

export interface BindingReport {
  error(problem: BindingProblem): void;
  warning(problem: BindingProblem): void;
  /** The same report for a part of the checked value: `.filter.rules[0].field`. */
  at(suffix: string): BindingReport;
}
