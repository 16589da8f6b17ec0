import type { BinaryOperator } from "./ast.js";

/** How tightly an operator holds its two sides: the greater, the tighter. */
export interface Binding {
  readonly operator: BinaryOperator;
  readonly power: number;
}

export const NOT_POWER = 3;
export const COMPARISON_POWER = 4;
export const SIGN_POWER = 8;

const bindings = new Map<string, Binding>([
  ["or", { operator: "or", power: 1 }],
  ["and", { operator: "and", power: 2 }],
  ["=", { operator: "=", power: COMPARISON_POWER }],
  ["==", { operator: "=", power: COMPARISON_POWER }],
  ["!=", { operator: "!=", power: COMPARISON_POWER }],
  ["<", { operator: "<", power: COMPARISON_POWER }],
  ["<=", { operator: "<=", power: COMPARISON_POWER }],
  [">", { operator: ">", power: COMPARISON_POWER }],
  [">=", { operator: ">=", power: COMPARISON_POWER }],
  ["~", { operator: "~", power: 5 }],
  ["+", { operator: "+", power: 6 }],
  ["-", { operator: "-", power: 6 }],
  ["*", { operator: "*", power: 7 }],
  ["/", { operator: "/", power: 7 }],
  ["%", { operator: "%", power: 7 }],
]);

export function bindingOf(operator: string): Binding | null {
  return bindings.get(operator) ?? null;
}
