import type { CallNode, Node } from "../parse/ast.js";
import { checkedFunction } from "../function/checked-function.js";
import { numberOf } from "./compile-arithmetic.js";
import { quietly, type Evaluator, type Surroundings } from "./evaluator.js";

export type CompileNode = (node: Node, around: Surroundings) => Evaluator;

/** @throws PlatenError `invalid_definition` for an unknown function or wrong arguments. */
export function compileCall(
  node: CallNode,
  around: Surroundings,
  compileNode: CompileNode,
): Evaluator {
  const definition = checkedFunction(node, around.source);
  const inner = definition.expectsMissing ? quietly(around) : around;
  const args = node.args.map((arg, at) => {
    const value = compileNode(arg, inner);
    const isNumber = at === 0 && definition.takesNumber;
    return isNumber ? numberOf(arg, value, around) : value;
  });
  return (scope) =>
    definition.call(
      args.map((arg) => arg(scope)),
      scope.context,
      around.where,
    );
}
