import { textOf, type BinaryNode, type Node } from "../parse/ast.js";
import type { Scope } from "../types.js";
import { calculate, type Arithmetic } from "../value/arithmetic.js";
import { toNumeric, type Numeric } from "../value/numeric.js";
import { isEmpty } from "../value/text.js";
import type { Evaluator, Surroundings } from "./evaluator.js";

/**
 * An empty side is left out of a sum or a difference, and makes anything else empty. A side that is no number is
 * reported like a missing value, and so is a division by zero.
 */
export function compileArithmetic(
  operator: Arithmetic,
  node: BinaryNode,
  left: Evaluator,
  right: Evaluator,
  around: Surroundings,
): Evaluator {
  const leftNumber = numberOf(node.left, left, around);
  const rightNumber = numberOf(node.right, right, around);
  const report = reporter(node, around);
  return (scope) => {
    const a = leftNumber(scope);
    const b = rightNumber(scope);
    if (a === null || b === null) return withoutOne(operator, a, b);
    const result = calculate(operator, a, b);
    if (result === null) report(scope);
    return result;
  };
}

function withoutOne(
  operator: Arithmetic,
  a: Numeric | null,
  b: Numeric | null,
): Numeric | null {
  if (operator === "+") return a ?? b;
  if (operator !== "-") return null;
  return b === null ? a : calculate("-", 0, b);
}

export function compileSign(
  sign: "+" | "-",
  node: Node,
  operand: Evaluator,
  around: Surroundings,
): Evaluator {
  const number = numberOf(node, operand, around);
  if (sign === "+") return number;
  return (scope) => {
    const value = number(scope);
    return value === null ? null : calculate("-", 0, value);
  };
}

/** The operand as a number; what is neither a number nor empty is reported like a missing value. */
export function numberOf(
  node: Node,
  operand: Evaluator,
  around: Surroundings,
): (scope: Scope) => Numeric | null {
  const report = reporter(node, around);
  return (scope) => {
    const value = operand(scope);
    const number = toNumeric(value);
    if (number === null && !isEmpty(value)) report(scope);
    return number;
  };
}

function reporter(
  node: Node,
  { source, where, isQuiet }: Surroundings,
): (scope: Scope) => void {
  if (isQuiet) return () => {};
  const text = textOf(node, source);
  return (scope) => scope.context.onMissing(text, where);
}
