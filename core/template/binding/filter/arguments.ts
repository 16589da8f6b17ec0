import { isCurrency, isLocale, isTimeZone } from "../value/locale.js";
import { toNumeric } from "../value/numeric.js";
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
  const isText = (given: unknown) => typeof given === "string";
  return checked(value, isText, "a text in quotes");
}

/** A whole number from 0 to `most`. */
export function countArgument(
  value: unknown,
  most: number,
): number | undefined {
  const isCount = (given: unknown) => {
    const number = Number(toNumeric(given) ?? -1);
    return Number.isInteger(number) && number >= 0 && number <= most;
  };
  const count = checked(value, isCount, `a whole number from 0 to ${most}`);
  return count === undefined ? undefined : Number(count);
}

function checked(
  value: unknown,
  isRight: (value: unknown) => boolean,
  wanted: string,
): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (isRight(value)) return value as string;
  throw argumentError(`${JSON.stringify(value)} is not ${wanted}.`);
}
