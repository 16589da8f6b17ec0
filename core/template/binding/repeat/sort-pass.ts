import type { SortRule } from "../../definition/data-schema.js";
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
    const sorted = evaluateEach(elements, scope, setting.types.id, (inner) => ({
      element: inner.item,
      keys: columns.map(({ read, type }) =>
        sortKey(read(inner), type, context),
      ),
    }));
    sorted.sort((a, b) => {
      for (const [at, { sign }] of columns.entries()) {
        const [left, right] = [a.keys[at], b.keys[at]] as [SortKey, SortKey];
        const order = compareKeys(left, right, sign, context.locale);
        if (order !== 0) return order;
      }
      return 0;
    });
    return sorted.map(({ element }) => element);
  };
}
