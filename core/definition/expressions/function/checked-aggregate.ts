import type { CallNode, Expression, PathNode } from "../parse/ast.js";
import { parsePath } from "../parse/parse-expression.js";
import type { Aggregate } from "./aggregates.js";
import { callError, checkCount } from "./checked-function.js";

/** The path of the collection. @throws PlatenError `invalid_definition` for arguments that the aggregate does not take. */
export function checkAggregateCall(
  node: CallNode,
  source: string,
  { usage, takesField }: Aggregate,
): PathNode {
  const [list] = node.args;
  checkCount(node, source, { least: 1, most: takesField ? 2 : 1, usage });
  if (list?.kind === "path") return list;
  const message = `${node.name} needs the path of a collection first.`;
  throw callError(node, source, message, usage);
}

/** The field of an aggregate, bare or quoted, or an expression on each element; null when there is none. */
export function aggregateField(
  { args: [, field] }: CallNode,
  source: string,
): Expression | null {
  if (!field) return null;
  if (field.kind !== "literal" || typeof field.value !== "string") {
    return { source, node: field };
  }
  return parsePath(field.value);
}
