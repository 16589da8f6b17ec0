import type { ValueType } from "../../schema/data-schema.js";
import type { MergeContext } from "../types.js";
import { collatorFor } from "./locale.js";
import { compareDateValues, toStartTime, toDateValue } from "./dates.js";
import { compareNumeric, toNumeric, type Numeric } from "./numbers.js";
import { isEmpty, toText } from "./text.js";

// Comparison shared by operators, rules, sorting, grouping, MIN and MAX.

/** Without a type, two values compare as numbers or dates when both are, else as texts. */
function guessType(a: unknown, b: unknown, context: MergeContext): ValueType {
  if (toNumeric(a) !== null && toNumeric(b) !== null) return "Number";
  return isDateText(a, context) && isDateText(b, context) ? "Date" : "String";
}

function isDateText(value: unknown, { timeZone }: MergeContext): boolean {
  return typeof value === "string" && toDateValue(value, timeZone) !== null;
}

/** Returns null when a value is empty or not of the type. */
export function compareValues(
  a: unknown,
  b: unknown,
  type: ValueType | undefined,
  context: MergeContext,
): number | null {
  if (isEmpty(a) || isEmpty(b)) return null;
  switch (type ?? guessType(a, b, context)) {
    case "Number":
      return compareNumbers(toNumeric(a), toNumeric(b));
    case "Date":
      return compareDates(a, b, context);
    default:
      return collatorFor(context.locale).compare(toText(a), toText(b));
  }
}

function compareNumbers(a: Numeric | null, b: Numeric | null): number | null {
  return a === null || b === null ? null : compareNumeric(a, b);
}

function compareDates(
  a: unknown,
  b: unknown,
  { timeZone }: MergeContext,
): number | null {
  const left = toDateValue(a, timeZone);
  const right = toDateValue(b, timeZone);
  return left && right ? compareDateValues(left, right, timeZone) : null;
}

/** Empty values equal each other and nothing else; values that are not of the type are equal as texts. */
export function areEqual(
  a: unknown,
  b: unknown,
  type: ValueType | undefined,
  context: MergeContext,
): boolean {
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  const bothTexts = typeof a === "string" && typeof b === "string";
  const by = type ?? (bothTexts ? "String" : guessType(a, b, context));
  const order = by === "String" ? null : compareValues(a, b, by, context);
  return order === null ? toText(a) === toText(b) : order === 0;
}

/** The sort key of a value; null, which sorts last, when it is empty or not of the type. */
export type SortKey = Numeric | string | null;

export function sortKey(
  value: unknown,
  type: ValueType,
  { timeZone }: MergeContext,
): SortKey {
  if (isEmpty(value)) return null;
  if (type === "Number") return toNumeric(value);
  if (type === "String") return toText(value) || null;
  const dateValue = toDateValue(value, timeZone);
  return dateValue && toStartTime(dateValue, timeZone);
}

/** Compares two keys of one type. Empty keys are last in both directions. */
export function compareKeys(
  a: SortKey,
  b: SortKey,
  direction: 1 | -1,
  locale: string,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a !== "string" && typeof b !== "string") {
    return direction * compareNumeric(a, b);
  }
  return direction * collatorFor(locale).compare(String(a), String(b));
}
