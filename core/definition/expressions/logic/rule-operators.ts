import type { Operator, ValueType } from "../../schema/data-schema.js";
import type { MergeContext } from "../types.js";
import { isList } from "../value/own-data.js";
import { areEqual, compareValues } from "../value/order.js";
import { isEmpty, toText } from "../value/text.js";

/** How a rule's two sides are compared. */
export interface Comparison {
  readonly type: ValueType | undefined;
  readonly context: MergeContext;
}

type Test = (value: unknown, wanted: unknown, by: Comparison) => boolean;

/** The value at hand against the rule's. Each `doesNot…` and `not…` is the plain opposite of its partner. */
export const ruleOperators: Readonly<Record<Operator, Test>> = {
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

/** What has no order, as an empty value beside anything, is neither smaller nor greater nor equal. */
function ordered(holds: (order: number) => boolean): Test {
  return (value, wanted, { type, context }) => {
    const order = compareValues(value, wanted, type, context);
    return order !== null && holds(order);
  };
}

/** A part of a text, or an element of a list. Nothing contains nothing. */
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

/** Both ends included. */
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

/** A list, or a text with commas as react-querybuilder writes it. */
export function listed(value: unknown): readonly unknown[] {
  if (isList(value)) return value;
  if (typeof value !== "string") return isEmpty(value) ? [] : [value];
  return value.split(",").map((part) => part.trim());
}
