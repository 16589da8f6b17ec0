import * as z from "zod";
import { findNearestWord, PlatformError } from "../../core/plugin-api/index.js";

// The filters of platforms without a filter language of their own: an object of conditions by column, which all hold.

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const bound = z.union([z.string(), z.number()]);
const conditionSchema = z.union([
  value.transform((single) => ({ is: [single] })),
  z
    .array(value)
    .min(1)
    .max(100)
    .transform((is) => ({ is })),
  z
    .strictObject({
      not: value.optional(),
      min: bound.optional(),
      max: bound.optional(),
    })
    .refine((all) => Object.keys(all).length > 0),
]);
const filterSchema = z.record(z.string(), conditionSchema);

/** A value of a column; null is an empty cell. */
export type ConditionValue = z.output<typeof value>;

export interface Condition {
  /** One of these. */
  is?: ConditionValue[] | undefined;
  not?: ConditionValue | undefined;
  /** Inclusive, as `max` is. */
  min?: string | number | undefined;
  max?: string | number | undefined;
}

/**
 * A day as `max` includes all of it. @throws PlatformError `invalid_field` for anything else than conditions on these
 * columns.
 */
export function parseConditions(
  filter: unknown,
  columns: readonly string[],
): [column: string, condition: Condition][] {
  const { data } = filterSchema.safeParse(filter);
  const entries = Object.entries(data ?? {});
  if (entries.length === 0)
    throw new PlatformError(
      "invalid_field",
      'The filter must be an object of conditions by column: a value, a list of values, null for an empty cell, or { "not", "min", "max" }. Example: { "Status": "Paid", "Total": { "min": 100 } }.',
    );
  for (const [name] of entries) assertColumn(name, columns);
  return entries.map(([name, condition]) => {
    const { max } = condition as Condition;
    const isWhole = typeof max === "string" && dayPattern.test(max);
    return [
      name,
      isWhole ? { ...condition, max: `${max}${endOfDay}` } : condition,
    ];
  });
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const endOfDay = "T23:59:59.999";

/** The day of a date in a condition. @throws PlatformError `invalid_field` for anything that does not begin with one. */
export function getDay(date: unknown, column: string): string {
  const day = String(date).slice(0, 10);
  if (dayPattern.test(day)) return day;
  throw new PlatformError(
    "invalid_field",
    `The filter compares the column "${column}", which holds dates, with "${String(date).slice(0, 60)}". Use a date such as 2026-12-31.`,
    { fieldId: column },
  );
}

/** @throws PlatformError `invalid_field` for a name that a filter must not contain. */
export function assertColumn(name: string, columns: readonly string[]): void {
  if (columns.includes(name)) return;
  const nearest = findNearestWord(name, columns);
  throw new PlatformError(
    "invalid_field",
    `The filter names the column "${name.slice(0, 60)}", which the table does not have or which cannot be compared.${nearest === undefined ? "" : ` Did you mean "${nearest}"?`}`,
    { fieldId: name },
  );
}

/** Whether a cell meets a condition. Numbers are compared as such, everything else as text. */
export function meetsCondition(
  cell: unknown,
  { is, not, min, max }: Condition,
): boolean {
  const isEmpty = cell === null || cell === undefined || cell === "";
  const equals = (expected: ConditionValue) =>
    expected === null || expected === ""
      ? isEmpty
      : !isEmpty && compare(cell, expected) === 0;
  if (is && !is.some(equals)) return false;
  if (not !== undefined && equals(not)) return false;
  if (min !== undefined && (isEmpty || compare(cell, min) < 0)) return false;
  return max === undefined || (!isEmpty && compare(cell, max) <= 0);
}

function compare(cell: unknown, other: string | number | boolean): number {
  const text = String(cell);
  if (typeof cell === "number" || typeof other === "number") {
    const difference = Number(cell) - Number(other);
    if (!Number.isNaN(difference)) return difference;
  }
  const wanted = String(other);
  return text === wanted ? 0 : text < wanted ? -1 : 1;
}
