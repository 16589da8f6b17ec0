import { PlatenError } from "../../plugin-api/index.js";
import {
  compileText,
  type Scope,
  type ScopeTypes,
  splitTemplate,
} from "../../definition/expressions/index.js";
import { ownStrings } from "../../definition/validation/template-strings.js";
import type { TreeNode } from "../../definition/validation/tree.js";

/** Of one value: a page shows no more of it while it is designed. */
const longest = 2000;
/** Of all that are told. */
const mostCharacters = 2 * 1024 * 1024;

/** What the expressions of a component's own Templates print, by their text between the braces. */
export type SampleValues = Record<string, string>;

/** Evaluates expressions one by one, so that one with a problem does not hide the others. */
export class ValueTeller {
  #left = mostCharacters;

  /** Null where nothing can be told. */
  of(
    { component, path }: TreeNode,
    types: ScopeTypes,
    scope: Scope,
  ): SampleValues | null {
    const values = new Map<string, string>();
    for (const expression of ownStrings(component).flatMap(expressionsOf)) {
      if (this.#left <= 0 || values.has(expression)) continue;
      const value = printed(expression, path, types, scope);
      if (value === null) continue;
      const told = shortened(value);
      this.#left -= told.length;
      if (this.#left >= 0) values.set(expression, told);
    }
    return values.size === 0 ? null : Object.fromEntries(values);
  }
}

/** Half a picture would be drawn as half a picture. */
function shortened(value: string): string {
  return value.startsWith("data:") ? value : value.slice(0, longest);
}

function expressionsOf({ source }: { source: string }): string[] {
  try {
    return splitTemplate(source).inner.map((inner) => inner.trim());
  } catch (error) {
    return refusedAsNone(error, []);
  }
}

function printed(
  expression: string,
  path: string,
  types: ScopeTypes,
  scope: Scope,
): string | null {
  try {
    const write = compileText(`{{ ${expression} }}`, path, types);
    return write(scope, "plain");
  } catch (error) {
    return refusedAsNone(error, null);
  }
}

/** What the checker refuses, and what is too long, is not told. */
function refusedAsNone<T>(error: unknown, none: T): T {
  if (error instanceof PlatenError) return none;
  throw error;
}
