import type { PlatenError } from "../../plugin-api/index.js";
import { type Gender, GENDERS, isGender } from "./number-words.js";
import type { UsableValue } from "./invalid-values.js";
import { bindingError } from "./problem.js";
import type { MergeContext } from "./scope.js";
import { isCurrency, isLocale, isTimeZone } from "../schema/known-values.js";
import { toNumeric, toText } from "./values.js";

/** Formats a value. A value that it cannot format is returned unchanged. `where` is the JSON path of the component. */
export type Format = (
  value: unknown,
  context: MergeContext,
  where: string,
) => unknown;

export interface FilterDefinition {
  /** The syntax, for messages: `truncate(length, "…")`. */
  readonly usage: string;
  readonly min: number;
  readonly max: number;
  /** Whether the filter is called for empty values, which other filters leave unchanged. */
  readonly takesEmpty?: boolean;
  /** Whether the value may be a list, such as `root.lines.name` for all names. */
  readonly takesLists?: boolean;
  /** How many of the first arguments are lengths or positions, for reports. */
  readonly counts?: number;
  /** Whether a first argument that the data does not have leaves the value unchanged, instead of taking its default. */
  readonly needsArgument?: boolean;
  /** What the filter needs of a value; anything else is reported. */
  readonly takes?: UsableValue;
  /** Creates the filter for its arguments; an undefined one takes its default. @throws `argumentError` */
  readonly bind: (args: readonly unknown[]) => Format;
  /**
   * Refuses a locale of the definition that the filter cannot write in. While documents are made, the filter itself
   * throws. @throws `argumentError`
   */
  readonly checkLocale?: (args: readonly unknown[], locale: string) => void;
}

export function argumentError(message: string, hint?: string): PlatenError {
  const code = "invalid_arguments";
  return bindingError({ code, message, ...(hint ? { hint } : {}) });
}

// Each function validates one argument of a filter. It returns undefined for a missing one and throws for an invalid
// one.

export function localeArgument(value: unknown): string | undefined {
  return checked(value, isLocale, 'a locale such as "de-DE"');
}

export function currencyArgument(value: unknown): string | undefined {
  return checked(value, isCurrency, 'a currency such as "EUR"');
}

const GROUPINGS = ["always", "min2"] as const;
/** Whether four digits are grouped: always, or never. By default, the locale decides. */
export type Grouping = (typeof GROUPINGS)[number];

export function isGrouping(value: unknown): value is Grouping {
  return GROUPINGS.some((grouping) => grouping === value);
}

export function groupingArgument(value: unknown): Grouping | undefined {
  return checked(value, isGrouping, '"always" or "min2"');
}

export function genderArgument(value: unknown): Gender | undefined {
  return checked(value, isGender, `one of "${GENDERS.join('", "')}"`);
}

export function timeZoneArgument(value: unknown): string | undefined {
  return checked(value, isTimeZone, 'a time zone such as "Europe/Berlin"');
}

export function textArgument(value: unknown): string | undefined {
  return checked(value, isText, "a text in quotes");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** A whole number from `min` to `max`; without `max`, of any size. */
export function countArgument(
  value: unknown,
  max = Number.POSITIVE_INFINITY,
  min = 0,
): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = Number(toNumeric(value) ?? Number.NaN);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw wrongArgument(value, describeRange(min, max));
}

function describeRange(min: number, max: number): string {
  if (!Number.isFinite(min)) return "a whole number";
  return Number.isFinite(max)
    ? `a whole number from ${min} to ${max}`
    : `a whole number of at least ${min}`;
}

function checked<T>(
  value: unknown,
  isRight: (value: unknown) => value is T,
  wanted: string,
): T | undefined {
  if (value === undefined || value === null) return undefined;
  if (isRight(value)) return value;
  throw wrongArgument(value, wanted);
}

function wrongArgument(value: unknown, wanted: string): PlatenError {
  return argumentError(`"${toText(value).slice(0, 80)}" is not ${wanted}.`);
}
