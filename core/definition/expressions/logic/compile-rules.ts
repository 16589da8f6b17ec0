import type { Logic, Rule } from "../../schema/data-schema.js";
import { compileExpression } from "../compile/compile-expression.js";
import type { Evaluator } from "../compile/evaluator.js";
import { parseExpression } from "../parse/parse-expression.js";
import type { ScopeTypes } from "../schema/scope-types.js";
import type { Scope } from "../types.js";
import { listed, ruleOperators } from "./rule-operators.js";

/** Does the logic hold in this scope? */
export type Condition = (scope: Scope) => boolean;

interface Around {
  readonly where: string;
  readonly types: ScopeTypes;
  /** Conditions read from the scopes, filters from the element. */
  readonly reach: "scope" | "item";
}

/**
 * Rules ask whether there is a value, so that a missing one is no fault and is not reported. Logic without rules
 * always holds. @throws PlatenError `invalid_definition` for what the checker refuses
 */
export function compileRules(logic: Logic, around: Around): Condition {
  const tests = logic.rules.map((part) =>
    "rules" in part ? compileRules(part, around) : compileRule(part, around),
  );
  if (tests.length === 0) return () => true;
  const holds: Condition =
    logic.combinator === "and"
      ? (scope) => tests.every((test) => test(scope))
      : (scope) => tests.some((test) => test(scope));
  return logic.not ? (scope) => !holds(scope) : holds;
}

function compileRule(rule: Rule, around: Around): Condition {
  const value = compileSide(rule.field, around);
  const wanted = compileWanted(rule, around);
  const test = ruleOperators[rule.operator];
  const { type } = rule;
  return (scope) =>
    test(value(scope), wanted(scope), { type, context: scope.context });
}

function compileSide(source: string, around: Around): Evaluator {
  return compileExpression(parseExpression(source), {
    ...around,
    isQuiet: true,
  });
}

/** A literal, or with `valueSource: "field"` what another expression says. */
function compileWanted(rule: Rule, around: Around): Evaluator {
  if (rule.valueSource === "field") {
    return compileSide(
      typeof rule.value === "string" ? rule.value : "",
      around,
    );
  }
  const takesList = ["in", "notIn", "between", "notBetween"].includes(
    rule.operator,
  );
  const literal = takesList ? listed(rule.value) : rule.value;
  return () => literal;
}
