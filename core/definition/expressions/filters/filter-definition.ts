import type { PlatenError } from "../../../plugin-api/index.js";
import { bindingError } from "../problem.js";
import type { MergeContext } from "../types.js";
import { isCurrency, isLocale, isTimeZone } from "../values/locale.js";
import { toNumeric } from "../values/numbers.js";
import { toText } from "../values/text.js";

/** Gives a value its printed form; what it cannot format it gives back, to print as it is. */
export type Format = (value: unknown, context: MergeContext) => unknown;

/** One filter of the language. */
export interface FilterDefinition {
  /** How it is written, for messages: `truncate(length, "…")`. */
  readonly usage: string;
  readonly min: number;
  readonly max: number;
  /** Is asked about empty values too; all other filters leave them alone. */
  readonly takesEmpty?: boolean;
  /** Makes the filter for its arguments; one that is undefined takes its default. @throws `argumentError` */
  readonly bind: (args: readonly unknown[]) => Format;
}

export function argumentError(message: string, hint?: string): PlatenError {
  const code = "invalid_arguments";
  return bindingError({ code, message, ...(hint ? { hint } : {}) });
}

// Each reads one argument of a filter: undefined when it is not given, an error when it is wrong.

export function localeArgument(value: unknown): string | undefined {
  return checked(value, isLocale, 'a locale such as "de-DE"');
}

export function currencyArgument(value: unknown): string | undefined {
  return checked(value, isCurrency, 'a currency such as "EUR"');
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

/** A whole number from 0 to `max`. */
export function countArgument(value: unknown, max: number): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = Number(toNumeric(value) ?? Number.NaN);
  if (Number.isInteger(number) && number >= 0 && number <= max) return number;
  throw wrongArgument(value, `a whole number from 0 to ${max}`);
}

function checked(
  value: unknown,
  isRight: (value: unknown) => value is string,
  wanted: string,
): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (isRight(value)) return value;
  throw wrongArgument(value, wanted);
}

function wrongArgument(value: unknown, wanted: string): PlatenError {
  return argumentError(`"${toText(value).slice(0, 80)}" is not ${wanted}.`);
}
