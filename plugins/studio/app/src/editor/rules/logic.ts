import type {
  Logic,
  Rule,
  Json,
  Operator,
  ValueType,
} from "../../../../../../core/plugin-api/definition.js";
import { operatorWords } from "../canvas/operator-words.js";
import type { PathOption } from "../scope/path-options.js";

// What a person does to rules that stand in groups.

type LogicPart = Rule | Logic;
/** Which rule of which group: places from the outermost in. */
export type LogicPath = readonly number[];

export type Quantity = "all" | "any" | "none" | "notAll";

export function quantityOf({ combinator, not }: Logic): Quantity {
  if (combinator === "and") return not ? "notAll" : "all";
  return not ? "none" : "any";
}

export function withQuantity(logic: Logic, quantity: Quantity): Logic {
  const { not: _old, ...rest } = logic;
  const isAnd = quantity === "all" || quantity === "notAll";
  const isNot = quantity === "none" || quantity === "notAll";
  const combinator = isAnd ? "and" : "or";
  return { ...rest, combinator, ...(isNot && { not: true }) };
}

export function isGroup(part: LogicPart): part is Logic {
  return "rules" in part;
}

/** Puts another part in place of one; null takes it away, and with it a group that it leaves empty. */
export function changePart(
  logic: Logic,
  path: LogicPath,
  part: LogicPart | null,
): Logic {
  const [index = 0, ...deeper] = path;
  const rules = logic.rules.flatMap((one, at) => {
    if (at !== index) return [one];
    if (deeper.length === 0) return part ? [part] : [];
    if (!isGroup(one)) return [one];
    const changed = changePart(one, deeper, part);
    return part === null && changed.rules.length === 0 ? [] : [changed];
  });
  return { ...logic, rules };
}

/** Adds a part to the end of the group at a path. */
export function addPart(logic: Logic, path: LogicPath, part: LogicPart): Logic {
  const [index, ...deeper] = path;
  if (index === undefined) return { ...logic, rules: [...logic.rules, part] };
  const rules = logic.rules.map((one, at) =>
    at === index && isGroup(one) ? addPart(one, deeper, part) : one,
  );
  return { ...logic, rules };
}

/** Moves a part by one place in its group; at the group's end it stays. */
export function movePart(logic: Logic, path: LogicPath, by: 1 | -1): Logic {
  const [index = 0, ...deeper] = path;
  const rules =
    deeper.length === 0
      ? moved(logic.rules, index, by)
      : logic.rules.map((one, at) =>
          at === index && isGroup(one) ? movePart(one, deeper, by) : one,
        );
  return { ...logic, rules };
}

/** A list in which one has changed places with its neighbour. */
export function moved<T>(list: readonly T[], index: number, by: 1 | -1): T[] {
  const to = index + by;
  if (to < 0 || to >= list.length) return [...list];
  const rest = list.filter((_one, at) => at !== index);
  const one = list.slice(index, index + 1);
  return [...rest.slice(0, to), ...one, ...rest.slice(to)];
}

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

/** What a person chooses: an operator, or one with its value in it. */
export type Comparison = Operator | "isYes" | "isNo";

type ComparisonChoice = readonly [value: Comparison, words: string];

const text: readonly Operator[] = [
  "=",
  "!=",
  "contains",
  "doesNotContain",
  "beginsWith",
  "endsWith",
  "in",
  "notIn",
  "empty",
  "notEmpty",
];
const order: readonly Operator[] = [
  "=",
  "!=",
  ">",
  ">=",
  "<",
  "<=",
  "between",
  "notBetween",
  "empty",
  "notEmpty",
];
const usual: Readonly<Record<ValueKind, readonly Comparison[]>> = {
  text,
  number: order,
  date: order,
  yesno: ["isYes", "isNo", "empty", "notEmpty"],
  many: ["empty", "notEmpty", "contains", "doesNotContain"],
  other: [...text.slice(0, 2), ...order.slice(2, 6), "empty", "notEmpty"],
};

const ofDates: Partial<Record<Comparison, string>> = {
  "<": "is before",
  "<=": "is on or before",
  ">": "is after",
  ">=": "is on or after",
};
const ofTexts: Partial<Record<Comparison, string>> = {
  "<": "comes before",
  "<=": "is or comes before",
  ">": "comes after",
  ">=": "is or comes after",
};

const wordsByKind: Partial<Record<ValueKind, typeof ofDates>> = {
  date: ofDates,
  text: ofTexts,
};

/** The comparisons that are usual for a kind, and then all others. */
export function comparisonsOf(
  kind: ValueKind,
  all: readonly Operator[],
): { usual: ComparisonChoice[]; more: ComparisonChoice[] } {
  const first = usual[kind];
  const every: Comparison[] = [...all, "isYes", "isNo"];
  const rest = every.filter((one) => !first.includes(one));
  const named = (one: Comparison) => [one, comparisonWords(one, kind)] as const;
  return { usual: first.map(named), more: rest.map(named) };
}

function comparisonWords(one: Comparison, kind: ValueKind): string {
  if (one === "isYes") return "is yes";
  if (one === "isNo") return "is no";
  return wordsByKind[kind]?.[one] ?? operatorWords[one];
}

/** How many values stand beside an operator. */
export function arity(operator: Operator): "none" | "one" | "two" | "many" {
  switch (operator) {
    case "null":
    case "notNull":
    case "empty":
    case "notEmpty":
      return "none";
    case "between":
    case "notBetween":
      return "two";
    case "in":
    case "notIn":
      return "many";
    default:
      return "one";
  }
}

/** How a rule's two sides are compared and filled in. */
export type ValueKind = "text" | "number" | "date" | "yesno" | "many" | "other";

/** What a field holds, as far as schema and sample tell. */
export function kindOfOption(option: PathOption | undefined): ValueKind {
  if (!option) return "other";
  const { kind, sample, path } = option;
  if (kind === "Number") return "number";
  if (kind === "Date") return "date";
  if (kind === "list" || kind === "record") return "many";
  if (kind === "special")
    return /\.(?:first|last)$/.test(path) ? "yesno" : "number";
  return sample === "yes" || sample === "no" ? "yesno" : "text";
}

/** As which a kind is compared; undefined where the values themselves tell. */
function comparedAs(kind: ValueKind): ValueType | undefined {
  if (kind === "number") return "Number";
  return kind === "date" ? "Date" : undefined;
}

/** As which a kind is put in order. */
export function orderedAs(kind: ValueKind): ValueType {
  return comparedAs(kind) ?? "String";
}

/** What the two directions of an order are called. */
export function orderWords(type: ValueType): { ASC: string; DESC: string } {
  switch (type) {
    case "Number":
      return { ASC: "Smallest first", DESC: "Largest first" };
    case "Date":
      return { ASC: "Oldest first", DESC: "Newest first" };
    default:
      return { ASC: "A to Z", DESC: "Z to A" };
  }
}
