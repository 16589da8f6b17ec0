import { PlatenError } from "../../plugin-api/index.js";
import type { Translations } from "./translations.js";
import type { ValueContext } from "./values.js";

/** A number that a document needs. */
export interface SequenceUse {
  /** Of the organization's sequence. */
  name: string;
  /** How its numbers are written: `RE-{yyyy}-{0000}`. */
  pattern: string;
  /** What the pattern has of the date, such as "2026" or "2026-03": in each period, the numbers begin with 1. */
  period: string;
  /** The pattern with its date: `RE-2026-{0000}`. */
  dated: string;
}

/** The settings and callbacks of one merge, shared by all its scopes. */
export interface MergeContext extends ValueContext {
  currency: string;
  now: Date;
  /** Called for each path without a value; `where` is the JSON path of the component. */
  onMissing(path: string, where: string): void;
  /** Called for each value that an expression cannot use; `path` is the expression that reads it. */
  onInvalid(
    path: string,
    where: string,
    expected: ExpectedValue,
    value: unknown,
  ): void;
  translations: Translations;
  /** Called for each text that has no translation; `used` is the locale whose text is printed instead, if any. */
  onUntranslated(key: string, where: string, used: string | null): void;
  /** The number that the document has of a sequence; null when it has none, which notes that it needs one. */
  findNumber(use: SequenceUse): string | null;
}

export type ExpectedValue =
  | "amount"
  | "ordinal"
  | "single"
  | "unit"
  | "argument"
  | "count"
  | "number"
  | "date"
  | "boolean"
  | "list"
  | "divisor"
  | "result"
  | "computed"
  | "locale"
  | "object"
  | "text";

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
  /** In an aggregate, returns the path of the element with this index, for reports. */
  readonly findPath: ((index: number) => string) | null;
  readonly context: MergeContext;
}

/**
 * The context in which a value is printed, which determines the escaping. `plain` is not escaped (file names,
 * barcodes).
 */
export type OutputContext = "html" | "attribute" | "url" | "css" | "plain";

/**
 * The scope of one document. Keys such as `__proto__` are harmless because no expression can name them.
 * @param addComputed adds the computed fields to the record, which may read the scope
 * @throws PlatenError `merge_failed` when the record is not a JSON object.
 */
export function rootScope(
  data: unknown,
  context: MergeContext,
  addComputed?: (record: object, root: Scope) => object,
): Scope {
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw new PlatenError(
      "merge_failed",
      "The data of a document must be a JSON object: one record becomes one document.",
    );
  }
  const scope = {
    id: "root",
    parent: null,
    item: data,
    index: 0,
    first: true,
    last: true,
    group: null,
    findPath: null,
    context,
  };
  if (addComputed) scope.item = addComputed(data, scope);
  return scope;
}

/** The nearest enclosing scope with this id; null only when scopes are nested differently than they were checked. */
export function findScope(scope: Scope, id: string): Scope | null {
  let current: Scope | null = scope;
  while (current && current.id !== id) current = current.parent;
  return current;
}

/** The scope of one of `count` elements, at the 0-based `index`. */
export function itemScope(
  id: string,
  parent: Scope,
  item: unknown,
  index: number,
  count: number,
  group: Scope["group"] = null,
  findPath: Scope["findPath"] = null,
): Scope {
  return {
    id,
    parent,
    item,
    index,
    first: index === 0,
    last: index === count - 1,
    group,
    findPath,
    context: parent.context,
  };
}
