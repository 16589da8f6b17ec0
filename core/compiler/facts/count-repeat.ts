import {
  compileRepeat,
  type Scope,
  type ScopeTypes,
} from "../../definition/expressions/index.js";
import type { Repeat } from "../../definition/schema/data-schema.js";

export interface RepeatCounts {
  /** How many elements the list has. */
  total: number;
  /** How many of them its filter lets pass. */
  passing: number;
  /** How many groups these make; null when they are not grouped. */
  groups: number | null;
}

/**
 * Counts a repeat as it runs in a document, step by step. @throws PlatenError as `compileRepeat`.
 * @returns also the scope of the first element that is shown, if there is one
 */
export function countRepeat(
  repeat: Repeat,
  path: string,
  types: ScopeTypes,
  scope: Scope,
): RepeatCounts & { first: Scope | null } {
  const run = (part: Repeat) => compileRepeat(part, path, types)(scope);
  const { collectionId, path: list, filter, groupBy } = repeat;
  const all = { collectionId, path: list };
  const filtered = { ...all, filter };
  const total = run(all).length;
  const passing = filter ? run(filtered).length : total;
  const groups = groupBy ? run({ ...filtered, groupBy }).length : null;
  return { total, passing, groups, first: run(repeat)[0] ?? null };
}
