import { isCurrency } from "../../schema/known-values.js";
import { numberFormatFor, cacheLast } from "../values/locale.js";
import { toNumeric } from "../values/numbers.js";
import {
  countArgument,
  currencyArgument,
  localeArgument,
  type FilterDefinition,
  type Format,
  argumentError,
} from "./filter-definition.js";

const MAX_DECIMALS = 20;

/** Formats with Intl, exactly, rounding half away from zero. A value that is not a number stays unchanged. */
function formatting(
  name: string,
  options: Intl.NumberFormatOptions,
  locale: string | undefined,
): Format {
  const formatIn = cacheLast((tag) => numberFormatFor(tag, name, options));
  return (value, context) => {
    const number = toNumeric(value);
    if (number === null) return value;
    const format = formatIn(locale ?? context.locale);
    if (typeof number === "number") return format.format(number);
    const digits = number.toFixed();
    return isDigits(digits) ? format.format(digits) : digits;
  };
}

/** Intl formats a string of digits without loss of precision. */
function isDigits(text: string): text is Intl.StringNumericLiteral {
  return /^-?\d/.test(text);
}

function decimals(max: number, min = max): Intl.NumberFormatOptions {
  return {
    signDisplay: "negative",
    minimumFractionDigits: min,
    maximumFractionDigits: max,
  };
}

/** `number("0,0.00")`, `number(2)` for two decimals, or up to six decimals in the format of the locale. */
const number: FilterDefinition = {
  usage: 'number("0,0.00", "de-DE")',
  min: 0,
  max: 2,
  bind: ([form, tag]) => {
    const locale = localeArgument(tag);
    if (typeof form === "string") {
      return formatting(`number ${form}`, numberPattern(form), locale);
    }
    const digits = countArgument(form, MAX_DECIMALS);
    const options = digits === undefined ? decimals(6, 0) : decimals(digits);
    return formatting(`number ${digits}`, options, locale);
  },
};

const percent: FilterDefinition = {
  usage: 'percent(1, "de-DE")',
  min: 0,
  max: 2,
  bind: ([count, tag]) => {
    const digits = countArgument(count, MAX_DECIMALS);
    const options = digits === undefined ? decimals(2, 0) : decimals(digits);
    const style = { ...options, style: "percent" } as const;
    return formatting(`percent ${digits}`, style, localeArgument(tag));
  },
};

const currency: FilterDefinition = {
  usage: 'currency("EUR", "de-DE")',
  min: 0,
  max: 2,
  bind: ([unit, tag]) => {
    const given = currencyArgument(unit);
    const locale = localeArgument(tag);
    if (given !== undefined) return inCurrency(given, locale);
    const formatOf = cacheLast((code) =>
      isCurrency(code) ? inCurrency(code, locale) : null,
    );
    return (value, context) => {
      const format = formatOf(context.currency);
      return format ? format(value, context) : value;
    };
  },
};

function inCurrency(code: string, locale: string | undefined): Format {
  const options = {
    style: "currency",
    currency: code,
    signDisplay: "negative",
  } as const;
  return formatting(`currency ${code}`, options, locale);
}

export const numberFilters = { number, percent, currency };

const PATTERN = /^([#0,]*)(?:\.([#0]*))?(%?)$/;
const MAX_DIGITS = 20;

/**
 * Returns the Intl options of a pattern: `0,0.00` and `#,##0.00` group digits, `0.0#` prints one or two decimals, `000`
 * pads with zeros, and `0.0%` is a percentage.
 * @throws PlatenError `invalid_definition` for an invalid pattern
 */
function numberPattern(pattern: string): Intl.NumberFormatOptions {
  const [, whole = "", fraction = "", percentSign] =
    PATTERN.exec(pattern) ?? [];
  const min = minimumDigits(whole);
  const max = Math.max(min, fraction.length);
  if (!/[#0]/.test(whole + fraction) || max > MAX_DIGITS) {
    throw argumentError(
      `"${pattern}" is not a valid number pattern.`,
      'Write a pattern such as "0,0.00", with one zero after the point for each decimal.',
    );
  }
  return {
    style: percentSign ? "percent" : "decimal",
    useGrouping: whole.includes(","),
    minimumIntegerDigits: Math.max(1, min),
    minimumFractionDigits: fraction.replaceAll("#", "").length,
    maximumFractionDigits: fraction.length,
    signDisplay: "negative",
  };
}

/** `0,0` commonly means grouping, not a second integer digit. */
function minimumDigits(whole: string): number {
  return whole === "0,0" ? 1 : whole.replaceAll(/[#,]/g, "").length;
}
