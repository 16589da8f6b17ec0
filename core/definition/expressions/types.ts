import type { Problem } from "../../plugin-api/index.js";
import type { PathNode } from "./parse/ast.js";

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

/** A path of the definition, and which declared fields its keys are. */
export interface PathRead {
  readonly node: PathNode;
  /** Where the expression begins, in the string that stands at the report's place. */
  readonly from: number;
  /** The id of the scope where reading begins; empty inside a sum or count. */
  readonly scope: string;
  /** For each key the collection of the schema that declares it; null for scopes, places in lists, and what is undeclared. */
  readonly owners: readonly (string | null)[];
}

export interface BindingReport {
  error(problem: BindingProblem): void;
  warning(problem: BindingProblem): void;
  /** Hears of every path that means something, for whoever asks what is read. */
  read?(read: PathRead): void;
  /** The same report for a part of the checked value: `.filter.rules[0].field`. */
  at(suffix: string): BindingReport;
}
