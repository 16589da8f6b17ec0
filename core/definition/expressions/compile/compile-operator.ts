import type { BinaryNode, UnaryNode } from "../parse/ast.js";
import type { MergeContext } from "../types.js";
import { areEqual, compareValues } from "../value/order.js";
import { concatenate } from "../value/concatenate.js";
import { isTrue } from "../value/text.js";
import { compileArithmetic, compileSign } from "./compile-arithmetic.js";
import type { Evaluator, Surroundings } from "./evaluator.js";

/** Both sides are compiled already. `or` and `and` give the value that decided, as in `root.name or "none"`. */
export function compileBinary(
  node: BinaryNode,
  left: Evaluator,
  right: Evaluator,
  around: Surroundings,
): Evaluator {
  const { operator } = node;
  switch (operator) {
    case "or":
      return (scope) => {
        const value = left(scope);
        return isTrue(value) ? value : right(scope);
      };
    case "and":
      return (scope) => {
        const value = left(scope);
        return isTrue(value) ? right(scope) : value;
      };
    case "~":
      return (scope) => concatenate([left(scope), right(scope)], around.where);
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return compileArithmetic(operator, node, left, right, around);
    default:
      return compileComparison(operator, left, right);
  }
}

export function compileUnary(
  node: UnaryNode,
  operand: Evaluator,
  around: Surroundings,
): Evaluator {
  if (node.operator === "not") return (scope) => !isTrue(operand(scope));
  return compileSign(node.operator, node.operand, operand, around);
}

type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

function compileComparison(
  operator: Comparison,
  left: Evaluator,
  right: Evaluator,
): Evaluator {
  const holds = COMPARISONS[operator];
  return (scope) => holds(left(scope), right(scope), scope.context);
}

type Test = (a: unknown, b: unknown, context: MergeContext) => boolean;

/** Beside an empty value nothing is smaller or greater. */
const COMPARISONS: Record<Comparison, Test> = {
  "=": (a, b, context) => areEqual(a, b, undefined, context),
  "!=": (a, b, context) => !areEqual(a, b, undefined, context),
  "<": (a, b, context) => (order(a, b, context) ?? 0) < 0,
  "<=": (a, b, context) => (order(a, b, context) ?? 1) <= 0,
  ">": (a, b, context) => (order(a, b, context) ?? 0) > 0,
  ">=": (a, b, context) => (order(a, b, context) ?? -1) >= 0,
};

function order(a: unknown, b: unknown, context: MergeContext): number | null {
  return compareValues(a, b, undefined, context);
}
