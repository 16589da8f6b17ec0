import type {
  Json,
  Operator,
  Rule,
} from "../../../../../../core/plugin-api/definition.js";
import { arity, type Comparison } from "./rule-operators.js";
import { comparedAs, type ValueKind } from "./value-kind.js";

// What a person does to one rule. What they did not touch stays as it was written.

/** A rule that holds for whatever has the field. */
export function newRule(field: string): Rule {
  return { field, operator: "notEmpty" };
}

/** What the choice of the comparison shows. */
export function comparisonOf({
  operator,
  value,
  valueSource,
}: Rule): Comparison {
  if (typeof value !== "boolean" || valueSource === "field") return operator;
  const isYes = operator === "=" ? value : !value;
  if (operator !== "=" && operator !== "!=") return operator;
  return isYes ? "isYes" : "isNo";
}

/** Another field: what was compared stays where it still means something. */
export function withField(rule: Rule, field: string, kind: ValueKind): Rule {
  const { type: _old, ...rest } = rule;
  const moved = { ...rest, field };
  const chosen = comparisonOf(rule);
  const isTruth = chosen === "isYes" || chosen === "isNo";
  if (kind === "yesno" && !isTruth && arity(rule.operator) !== "none")
    return withComparison(moved, "isYes", kind, undefined);
  if (kind !== "yesno" && isTruth) return newRule(field);
  return typed(moved, kind);
}

/**
 * Another comparison.
 * @param example what the value is at first, where there was none
 */
export function withComparison(
  rule: Rule,
  chosen: Comparison,
  kind: ValueKind,
  example: Json | undefined,
): Rule {
  const { field } = rule;
  if (chosen === "isYes" || chosen === "isNo")
    return { field, operator: "=", value: chosen === "isYes" };
  const wanted = arity(chosen);
  if (wanted === "none") return { field, operator: chosen };
  const isField = rule.valueSource === "field" && wanted !== "two";
  if (isField) return typed({ ...rule, operator: chosen }, kind);
  const value = valueFor(chosen, rule.value, example);
  return typed({ field, operator: chosen, value }, kind);
}

/** Compares with a value again, or with what another field or expression says. */
export function withSource(rule: Rule, other: string | null): Rule {
  const { value: _value, valueSource: _source, ...rest } = rule;
  if (other !== null) return { ...rest, value: other, valueSource: "field" };
  return { ...rest, value: valueFor(rule.operator, undefined, undefined) };
}

/** A value as a list, also where it was written with commas between. */
export function asList(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value;
  if (value === undefined || value === null || value === "") return [];
  if (typeof value !== "string") return [value];
  return value.split(",").map((part) => part.trim());
}

function valueFor(
  operator: Operator,
  old: Json | undefined,
  example: Json | undefined,
): Json {
  const known = asList(old).filter((one) => typeof one !== "boolean");
  const [first = example ?? "", second = first] = known;
  switch (arity(operator)) {
    case "two":
      return [first, second];
    case "many":
      return known;
    default:
      return Array.isArray(old) || typeof old === "boolean" || old === undefined
        ? first
        : old;
  }
}

/** Says how to compare, where the values alone might mislead. */
function typed(rule: Rule, kind: ValueKind): Rule {
  const { type: _old, ...rest } = rule;
  const isOrder = ["<", "<=", ">", ">=", "between", "notBetween"];
  if (arity(rule.operator) === "none") return rest;
  const isText = kind === "text" && isOrder.includes(rule.operator);
  const type = isText ? "String" : comparedAs(kind);
  return type ? { ...rest, type } : rest;
}
