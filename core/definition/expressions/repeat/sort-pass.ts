import type { SortRule } from "../../schema/data-schema.js";
import { compareKeys, sortKey, type SortKey } from "../value/order.js";
import { compileField } from "./compile-field.js";
import { evaluateEach, type Pass, type PassSetting } from "./pass.js";

/** Stable; an earlier rule takes precedence; what is empty or not of the rule's type comes last. */
export function sortPass(
  rules: readonly SortRule[],
  setting: PassSetting,
): Pass {
  const columns = rules.map(({ field, type, direction }) => ({
    read: compileField(field, setting),
    type,
    sign: direction === "ASC" ? (1 as const) : (-1 as const),
  }));
  return (elements, scope) => {
    const { context } = scope;
    const rows = evaluateEach(elements, scope, setting.types.id, (inner) => ({
      element: inner.item,
      keys: columns.map(({ read, type }) =>
        sortKey(read(inner), type, context),
      ),
    }));
    const sorted = rows.toSorted((a, b) =>
      compareRows(a.keys, b.keys, columns, context.locale),
    );
    return sorted.map(({ element }) => element);
  };
}

function compareRows(
  a: readonly SortKey[],
  b: readonly SortKey[],
  columns: readonly { readonly sign: 1 | -1 }[],
  locale: string,
): number {
  let at = 0;
  for (const { sign } of columns) {
    const order = compareKeys(a[at] ?? null, b[at] ?? null, sign, locale);
    if (order !== 0) return order;
    at++;
  }
  return 0;
}
