import type {
  Logic,
  Rule,
  Operator,
  ValueType,
} from "../../schema/data-schema.js";
import { parseExpression } from "../parse/parse-expression.js";
import type { ScopeTypes } from "../scope-types.js";
import type { Scope, MergeContext } from "../types.js";
import { areEqual, compareValues } from "../values/compare.js";
import { isList } from "../values/read-data.js";
import { isEmpty, toText } from "../values/text.js";
import { compileExpression } from "./compile-expression.js";
import type { Evaluator } from "./compile-path.js";

/** Compiles the condition of a component. @throws PlatenError `invalid_definition` for what the checker rejects */
export function compileLogic(
  logic: Logic,
  where: string,
  types: ScopeTypes,
): Condition {
  return compileRules(logic, { where, types, reach: "scope" });
}

/** Whether the logic is true in a scope. */
export type Condition = (scope: Scope) => boolean;

interface RuleEnvironment {
  readonly where: string;
  readonly types: ScopeTypes;
  /** Paths of conditions start at the scopes, paths of filters at the element. */
  readonly reach: "scope" | "item";
}

/**
 * Rules test whether there is a value, so a missing one is not reported. Logic without rules is always true.
 * @throws PlatenError `invalid_definition` for what the checker rejects
 */
export function compileRules(logic: Logic, env: RuleEnvironment): Condition {
  const tests = logic.rules.map((part) =>
    "rules" in part ? compileRules(part, env) : compileRule(part, env),
  );
  if (tests.length === 0) return () => true;
  const holds: Condition =
    logic.combinator === "and"
      ? (scope) => tests.every((test) => test(scope))
      : (scope) => tests.some((test) => test(scope));
  return logic.not ? (scope) => !holds(scope) : holds;
}

function compileRule(rule: Rule, env: RuleEnvironment): Condition {
  const value = compileSide(rule.field, env);
  const wanted = compileWanted(rule, env);
  const test = ruleOperators[rule.operator];
  const { type } = rule;
  return (scope) =>
    test(value(scope), wanted(scope), { type, context: scope.context });
}

function compileSide(source: string, env: RuleEnvironment): Evaluator {
  return compileExpression(parseExpression(source), {
    ...env,
    ignoresMissing: true,
  });
}

/** The literal, or the expression for `valueSource: "field"`. */
function compileWanted(rule: Rule, env: RuleEnvironment): Evaluator {
  if (rule.valueSource === "field") {
    return compileSide(typeof rule.value === "string" ? rule.value : "", env);
  }
  const takesList = ["in", "notIn", "between", "notBetween"].includes(
    rule.operator,
  );
  const literal = takesList ? listed(rule.value) : rule.value;
  return () => literal;
}

interface Comparison {
  readonly type: ValueType | undefined;
  readonly context: MergeContext;
}

type Test = (value: unknown, wanted: unknown, by: Comparison) => boolean;

/** Compares the value of the field with the value of the rule. Each `doesNot…` and `not…` negates its counterpart. */
const ruleOperators: Readonly<Record<Operator, Test>> = {
  "=": isEqual,
  "!=": not(isEqual),
  "<": ordered((order) => order < 0),
  "<=": ordered((order) => order <= 0),
  ">": ordered((order) => order > 0),
  ">=": ordered((order) => order >= 0),
  contains,
  doesNotContain: not(contains),
  beginsWith,
  doesNotBeginWith: not(beginsWith),
  endsWith,
  doesNotEndWith: not(endsWith),
  in: isIn,
  notIn: not(isIn),
  between: isBetween,
  notBetween: not(isBetween),
  null: isNull,
  notNull: not(isNull),
  empty: isEmpty,
  notEmpty: not(isEmpty),
};

function not(test: Test): Test {
  return (value, wanted, by) => !test(value, wanted, by);
}

function isEqual(value: unknown, wanted: unknown, by: Comparison): boolean {
  return areEqual(value, wanted, by.type, by.context);
}

/** Values without an order, such as empty ones, are neither smaller nor greater nor equal. */
function ordered(holds: (order: number) => boolean): Test {
  return (value, wanted, { type, context }) => {
    const order = compareValues(value, wanted, type, context);
    return order !== null && holds(order);
  };
}

/** Whether a text contains a part or a list contains an element. Empty values contain nothing. */
function contains(value: unknown, wanted: unknown, by: Comparison): boolean {
  if (isEmpty(value) || isEmpty(wanted)) return false;
  if (!isList(value)) return toText(value).includes(toText(wanted));
  by.context.spend(value.length);
  return value.some((element) => isEqual(element, wanted, by));
}

function beginsWith(value: unknown, wanted: unknown): boolean {
  return !isEmpty(wanted) && toText(value).startsWith(toText(wanted));
}

function endsWith(value: unknown, wanted: unknown): boolean {
  return !isEmpty(wanted) && toText(value).endsWith(toText(wanted));
}

function isIn(value: unknown, wanted: unknown, by: Comparison): boolean {
  return listed(wanted).some((candidate) => isEqual(value, candidate, by));
}

/** Both bounds are inclusive. */
function isBetween(
  value: unknown,
  wanted: unknown,
  { type, context }: Comparison,
): boolean {
  const [low, high] = listed(wanted);
  const fromLow = compareValues(value, low, type, context);
  const fromHigh = compareValues(value, high, type, context);
  if (fromLow === null || fromHigh === null) return false;
  return fromLow >= 0 && fromHigh <= 0;
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Accepts a list or comma-separated text, which react-querybuilder writes. */
export function listed(value: unknown): readonly unknown[] {
  if (isList(value)) return value;
  if (typeof value !== "string") return isEmpty(value) ? [] : [value];
  return value.split(",").map((part) => part.trim());
}
