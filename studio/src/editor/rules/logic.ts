import type {
  GroupBy,
  Logic,
  Rule,
  Json,
  Operator,
  ValueType,
} from "../../../../core/plugin-api/definition.js";
import { OPERATOR_LABELS } from "../canvas/views/component-text.js";
import type { PathOption } from "../scope/path-options.js";
import { t } from "../../messages/index.js";

type LogicPart = Rule | Logic;
/** The indexes from the root to a rule or group. */
export type LogicPath = readonly number[];

export type Quantity = "all" | "any" | "none" | "notAll";

export function getQuantity({ combinator, not }: Logic): Quantity {
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

/** Replaces a rule or group; null deletes it, and its group when that becomes empty. */
export function changePart(
  logic: Logic,
  path: LogicPath,
  part: LogicPart | null,
): Logic {
  const [index = 0, ...deeper] = path;
  const rules = logic.rules.flatMap((child, at) => {
    if (at !== index) return [child];
    if (deeper.length === 0) return part ? [part] : [];
    if (!isGroup(child)) return [child];
    const changed = changePart(child, deeper, part);
    return part === null && changed.rules.length === 0 ? [] : [changed];
  });
  return { ...logic, rules };
}

/** Appends a rule or group to the group at a path. */
export function addPart(logic: Logic, path: LogicPath, part: LogicPart): Logic {
  const [index, ...deeper] = path;
  if (index === undefined) return { ...logic, rules: [...logic.rules, part] };
  const rules = logic.rules.map((child, at) =>
    at === index && isGroup(child) ? addPart(child, deeper, part) : child,
  );
  return { ...logic, rules };
}

/** Moves a rule or group by one position in its group; at the end it stays. */
export function movePart(logic: Logic, path: LogicPath, by: 1 | -1): Logic {
  const [index = 0, ...deeper] = path;
  const rules =
    deeper.length === 0
      ? moveItem(logic.rules, index, by)
      : logic.rules.map((child, at) =>
          at === index && isGroup(child) ? movePart(child, deeper, by) : child,
        );
  return { ...logic, rules };
}

/** Swaps an item with its neighbor. */
export function moveItem<T>(
  list: readonly T[],
  index: number,
  by: 1 | -1,
): T[] {
  const to = index + by;
  if (to < 0 || to >= list.length) return [...list];
  const rest = list.filter((_one, at) => at !== index);
  const moved = list.slice(index, index + 1);
  return [...rest.slice(0, to), ...moved, ...rest.slice(to)];
}

export function newRule(field: string): Rule {
  return { field, operator: "notEmpty" };
}

/** The comparison of a rule as the select shows it. */
export function getComparison({
  operator,
  value,
  valueSource,
}: Rule): Comparison {
  if (typeof value !== "boolean" || valueSource === "field") return operator;
  const isYes = operator === "=" ? value : !value;
  if (operator !== "=" && operator !== "!=") return operator;
  return isYes ? "isYes" : "isNo";
}

/** Keeps the comparison where it is valid for the new field. */
export function withField(rule: Rule, field: string, kind: ValueKind): Rule {
  const { type: _old, ...rest } = rule;
  const retargeted = { ...rest, field };
  const chosen = getComparison(rule);
  const isTruth = chosen === "isYes" || chosen === "isNo";
  if (kind === "yesno" && !isTruth && getArity(rule.operator) !== "none")
    return withComparison(retargeted, "isYes", kind, undefined);
  if (kind !== "yesno" && isTruth) return newRule(field);
  return withType(retargeted, kind);
}

/** @param example the initial value when there was none */
export function withComparison(
  rule: Rule,
  chosen: Comparison,
  kind: ValueKind,
  example: Json | undefined,
): Rule {
  const { field } = rule;
  if (chosen === "isYes" || chosen === "isNo")
    return { field, operator: "=", value: chosen === "isYes" };
  const wanted = getArity(chosen);
  if (wanted === "none") return { field, operator: chosen };
  const isField = rule.valueSource === "field" && wanted !== "two";
  if (isField) return withType({ ...rule, operator: chosen }, kind);
  const value = convertValue(chosen, rule.value, example);
  return withType({ field, operator: chosen, value }, kind);
}

/** Compares with another field or expression, or with null, with a value again. */
export function withSource(rule: Rule, other: string | null): Rule {
  const { value: _value, valueSource: _source, ...rest } = rule;
  if (other !== null) return { ...rest, value: other, valueSource: "field" };
  return { ...rest, value: convertValue(rule.operator, undefined, undefined) };
}

/** A value as a list; splits a text at its commas. */
export function toList(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value;
  if (value === undefined || value === null || value === "") return [];
  if (typeof value !== "string") return [value];
  return value.split(",").map((part) => part.trim());
}

function convertValue(
  operator: Operator,
  old: Json | undefined,
  example: Json | undefined,
): Json {
  const values = toList(old).filter((value) => typeof value !== "boolean");
  const [first = example ?? "", second = first] = values;
  switch (getArity(operator)) {
    case "two":
      return [first, second];
    case "many":
      return values;
    default:
      return Array.isArray(old) || typeof old === "boolean" || old === undefined
        ? first
        : old;
  }
}

/** Sets the comparison type where the values alone are ambiguous. */
function withType(rule: Rule, kind: ValueKind): Rule {
  const { type: _old, ...rest } = rule;
  const isOrder = ["<", "<=", ">", ">=", "between", "notBetween"];
  if (getArity(rule.operator) === "none") return rest;
  const isText = kind === "text" && isOrder.includes(rule.operator);
  const type = isText ? "String" : getComparisonType(kind);
  return type ? { ...rest, type } : rest;
}

/** An operator as the select offers it: `isYes` and `isNo` include the value. */
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
const comparisons: readonly Operator[] = [
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
  number: comparisons,
  date: comparisons,
  yesno: ["isYes", "isNo", "empty", "notEmpty"],
  many: ["empty", "notEmpty", "contains", "doesNotContain"],
  other: [...text.slice(0, 2), ...comparisons.slice(2, 6), "empty", "notEmpty"],
};

const dateWords: Partial<Record<Comparison, string>> = {
  "<": t("rules.isBefore"),
  "<=": t("rules.isOnOrBefore"),
  ">": t("rules.isAfter"),
  ">=": t("rules.isOnOrAfter"),
};
const textWords: Partial<Record<Comparison, string>> = {
  "<": t("rules.comesBefore"),
  "<=": t("rules.isOrComesBefore"),
  ">": t("rules.comesAfter"),
  ">=": t("rules.isOrComesAfter"),
};

const wordsByKind: Partial<Record<ValueKind, typeof dateWords>> = {
  date: dateWords,
  text: textWords,
};

/** The common comparisons for a kind, and all others. */
export function listComparisons(
  kind: ValueKind,
  all: readonly Operator[],
): { usual: ComparisonChoice[]; more: ComparisonChoice[] } {
  const first = usual[kind];
  const every: Comparison[] = [...all, "isYes", "isNo"];
  const rest = every.filter((comparison) => !first.includes(comparison));
  const named = (comparison: Comparison) =>
    [comparison, describeComparison(comparison, kind)] as const;
  return { usual: first.map(named), more: rest.map(named) };
}

function describeComparison(comparison: Comparison, kind: ValueKind): string {
  if (comparison === "isYes") return t("rules.isYes");
  if (comparison === "isNo") return t("rules.isNo");
  return wordsByKind[kind]?.[comparison] ?? OPERATOR_LABELS[comparison];
}

export function getArity(operator: Operator): "none" | "one" | "two" | "many" {
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

/** The kind of a rule's field, which decides its comparisons and inputs. */
export type ValueKind = "text" | "number" | "date" | "yesno" | "many" | "other";

/** The kind of a field according to the schema and the sample. */
export function getValueKind(option: PathOption | undefined): ValueKind {
  if (!option) return "other";
  const { kind, path } = option;
  if (kind === "Number") return "number";
  if (kind === "Date") return "date";
  if (kind === "Boolean") return "yesno";
  if (kind === "list" || kind === "record") return "many";
  if (kind === "special")
    return /\.(?:first|last)$/.test(path) ? "yesno" : "number";
  return "text";
}

/** The comparison type of a kind; undefined when the values decide. */
function getComparisonType(kind: ValueKind): ValueType | undefined {
  if (kind === "number") return "Number";
  return kind === "date" ? "Date" : undefined;
}

export function getSortType(kind: ValueKind): ValueType {
  return getComparisonType(kind) ?? "String";
}

type Direction = "ASC" | "DESC";
/** A direction; natural if numbers within texts count. */
type Order = Direction | `${Direction} natural`;

export function listOrders(
  type: ValueType,
): (readonly [order: Order, label: string])[] {
  const labels = {
    Number: [t("rules.smallestFirst"), t("rules.largestFirst")],
    Date: [t("rules.oldestFirst"), t("rules.newestFirst")],
    String: [t("rules.aToZ"), t("rules.zToA")],
  } as const;
  const [ascending, descending] = labels[type];
  return [
    ["ASC", ascending],
    ["DESC", descending],
    ...(type === "String"
      ? ([
          ["ASC natural", t("rules.aToZNatural")],
          ["DESC natural", t("rules.zToANatural")],
        ] as const)
      : []),
  ];
}

export function writeOrder({
  direction,
  natural,
}: Pick<GroupBy, "direction" | "natural">): Order | undefined {
  return direction && natural ? `${direction} natural` : direction;
}

export function readOrder(
  order: Order,
): Pick<GroupBy, "natural"> & { direction: Direction } {
  const direction = order.startsWith("ASC") ? "ASC" : "DESC";
  return { direction, ...(order.endsWith("natural") && { natural: true }) };
}
