import type { Problem } from "../../plugin-api/index.js";
import type { PathNode } from "./parse/ast.js";

/** The settings and callbacks of one merge, shared by all its scopes. */
export interface MergeContext {
  locale: string;
  currency: string;
  timeZone: string;
  now: Date;
  /** Called for each path without a value; `where` is the JSON path of the component. */
  onMissing(path: string, where: string): void;
  /** Counts loop iterations; throws PlatenError `merge_failed` beyond the limit. */
  spend(iterations: number): void;
}

/**
 * One level of the data during a merge: the root record or one element of a collection. Only own enumerable properties
 * of `item` are read.
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

/**
 * The context in which a value is printed, which determines the escaping. `plain` is not escaped (file names,
 * barcodes).
 */
export type OutputContext = "html" | "attribute" | "url" | "css" | "plain";

/** A problem of a template string or path, without its JSON path. `column` is 1-based in `expression`. */
export type BindingProblem = Omit<Problem, "path">;

/** A path in an expression, and the declared fields that its keys refer to. */
export interface PathRead {
  readonly node: PathNode;
  /** The offset of the expression in the string that contains it. */
  readonly from: number;
  /** The id of the scope where reading starts; empty inside an aggregate. */
  readonly scope: string;
  /** The collection that declares each key; null for scopes, list indexes and undeclared keys. */
  readonly owners: readonly (string | null)[];
}

export interface BindingReport {
  error(problem: BindingProblem): void;
  warning(problem: BindingProblem): void;
  /** Called for every path that resolves. */
  read?(read: PathRead): void;
  /** The same report for a part of the checked value: `.filter.rules[0].field`. */
  at(suffix: string): BindingReport;
}
