import type { Operator } from "../../../../../../core/plugin-api/definition.js";
import { operatorWords } from "../canvas/views/component-text.js";
import type { ValueKind } from "./value-kind.js";

/** What a person chooses: an operator, or one with its value in it. */
export type Comparison = Operator | "isYes" | "isNo";

export type ComparisonChoice = readonly [value: Comparison, words: string];

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
