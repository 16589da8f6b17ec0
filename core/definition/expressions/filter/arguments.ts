import type { PlatenError } from "../../../plugin-api/index.js";
import { isCurrency, isLocale, isTimeZone } from "../value/locale.js";
import { toNumeric } from "../value/numeric.js";
import { toText } from "../value/text.js";
import { argumentError } from "./filter-definition.js";

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

/** A whole number from 0 to `most`. */
export function countArgument(
  value: unknown,
  most: number,
): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = Number(toNumeric(value) ?? Number.NaN);
  if (Number.isInteger(number) && number >= 0 && number <= most) return number;
  throw wrongArgument(value, `a whole number from 0 to ${most}`);
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
