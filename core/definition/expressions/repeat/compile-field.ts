import { compilePathNode } from "../compile/compile-path.js";
import type { Evaluator } from "../compile/evaluator.js";
import { parsePath } from "../parse/parse-expression.js";
import type { PassSetting } from "./pass.js";

/** The field of a sort or groupBy rule: a path from the element. That it is missing orders it last and is no fault. */
export function compileField(
  field: string,
  { where, types }: PassSetting,
): Evaluator {
  const { source, node } = parsePath(field);
  const around = {
    source,
    where,
    types,
    reach: "item",
    isQuiet: true,
  } as const;
  return compilePathNode(node, around);
}
