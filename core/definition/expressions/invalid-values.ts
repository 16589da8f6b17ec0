import { parseBooleanText } from "../../plugin-api/index.js";
import { isEpochSeconds, toDateValue, UNITS } from "./dates.js";
import { type ExpectedValue, type MergeContext } from "./scope.js";
import {
  ExactDecimal,
  isEmpty,
  isIndex,
  isList,
  numericText,
  readKey,
  toNumeric,
  SafeHtml,
} from "./values.js";

// Values of the data that an expression or the schema cannot use, described for people. Only invalid values cost time.

/** A value that an expression cannot use. */
export interface InvalidValue {
  /** The expression that reads it, such as `root.price` or `root.lines[2].price`. */
  path: string;
  /** JSON path of the component that reads it. */
  component: string;
  code:
    | "wrong_type"
    | "invalid_date"
    | "division_by_zero"
    | "out_of_range"
    | "computed_field"
    | "invalid_locale";
  /** What the expression needs, such as `a number`. */
  expected: string;
  /** What the data has, such as `the text "12,50"`. */
  found: string;
  message: string;
  hint?: string;
}

export function describeInvalidValue(
  path: string,
  component: string,
  expected: ExpectedValue,
  value: unknown,
): InvalidValue {
  const actual = describeValue(value);
  switch (expected) {
    case "amount":
    case "ordinal":
    case "number": {
      const isOther = expected !== "number" && toNumeric(value) !== null;
      const needed = USABLE[isOther ? expected : "number"];
      const hint = isOther ? FIGURES_HINT : NUMBER_HINT;
      return {
        path,
        component,
        code: isOther ? "out_of_range" : "wrong_type",
        expected: needed,
        found: actual,
        message: `${path} is ${actual}, which is not ${needed}.`,
        ...((isOther || typeof value === "string") && { hint }),
      };
    }
    case "unit":
      return {
        path,
        component,
        code: "wrong_type",
        expected: "a unit of time",
        found: actual,
        message: `${path} is ${actual}, which is not a unit of time.`,
        hint: `The units are ${UNITS.map((name) => `${name}s`).join(", ")}.`,
      };
    case "single":
      return {
        path,
        component,
        code: "wrong_type",
        expected: "a single value",
        found: actual,
        message: `${path} is ${actual}, which is compared with a single value.`,
        hint: 'Write contains, as in root.tags contains "a".',
      };
    case "date": {
      const reason = looksLikeSeconds(value)
        ? ", which looks like seconds since 1970"
        : ", which is not a date";
      return {
        path,
        component,
        code: "invalid_date",
        expected: "a date",
        found: actual,
        message: `${path} is ${actual}${reason}.`,
        hint: getDateHint(value),
      };
    }
    case "boolean": {
      const hint = getBooleanHint(value);
      return {
        path,
        component,
        code: "wrong_type",
        expected: "true or false",
        found: actual,
        message: `${path} is ${actual}, which is not true or false.`,
        ...(hint !== null && { hint }),
      };
    }
    case "list":
      return {
        path,
        component,
        code: "wrong_type",
        expected: "an array",
        found: actual,
        message: `${path} is ${actual}, which is not an array.`,
      };
    case "object":
      return {
        path,
        component,
        code: "wrong_type",
        expected: "an object",
        found: actual,
        message: `${path} is ${actual}, which is not an object.`,
      };
    case "text": {
      const isNested = isList(value) && value.some(isList);
      return {
        path,
        component,
        code: "wrong_type",
        expected: "values that can be printed",
        found: actual,
        message: `${path} is ${actual}, and ${isNested ? "arrays within arrays" : "objects"} print nothing.`,
        hint: isNested
          ? "Repeat a component over it, and print each of the inner arrays."
          : "Write one of their fields, as in JOIN(root.lines.name).",
      };
    }
    case "count":
      return {
        path,
        component,
        code: "wrong_type",
        expected: "a whole number that the filter accepts",
        found: actual,
        message: `${path} is ${actual}, which the filter does not accept.`,
        hint: "A length is a whole number of at least 0. Only the start of slice may be negative: it then counts from the end.",
      };
    case "argument":
      return {
        path,
        component,
        code: "wrong_type",
        expected: "an argument that the filter accepts",
        found: actual,
        message: `${path} is ${actual}, which the filter does not accept.`,
        hint: 'Currencies are codes such as "EUR", locales tags such as "de-DE", time zones names such as "Europe/Berlin".',
      };
    case "divisor":
      return {
        path,
        component,
        code: "division_by_zero",
        expected: "a number other than 0",
        found: actual,
        message: `${path} is 0, and nothing can be divided by 0.`,
        hint: "Print something else where it is 0, as in {{ root.total / root.count if root.count else 0 }}.",
      };
    case "locale":
      return {
        path,
        component,
        code: "invalid_locale",
        expected: "a locale",
        found: actual,
        message: `${path} is ${actual}, which is not a known locale, so the document is in the template's default language.`,
        hint: 'Send a BCP 47 tag, such as "en-US" or "de".',
      };
    case "computed":
      return {
        path,
        component,
        code: "computed_field",
        expected: "no value",
        found: actual,
        message: `${path} is computed, so its value in the data, ${actual}, is not used.`,
        hint: "Leave it out of the data, or give one of the two another name.",
      };
    default:
      return {
        path,
        component,
        code: "out_of_range",
        expected: "a result that can be printed",
        found: actual,
        message: `${path} has no result: it is too large for a number or a date.`,
      };
  }
}

/** Numbers from this on have no words. */
export const MAX_AMOUNT = 1e15;

/** What expressions need: an amount is written in words, an ordinal as 1st. */
export const USABLE = {
  number: "a number",
  amount: "a number below 10^15, the limit of words",
  ordinal: "a whole number of at least 0",
  date: "a date",
  boolean: "true or false",
} as const;
export type UsableValue = keyof typeof USABLE;

/** Whether the value is what an expression needs; empty values are. */
export function isUsable(
  value: unknown,
  expected: UsableValue,
  timeZone: string,
): boolean {
  if (isEmpty(value)) return true;
  if (expected === "boolean") return typeof value === "boolean";
  if (expected === "date")
    return !isEpochSeconds(value) && toDateValue(value, timeZone) !== null;
  const number = toNumeric(value);
  if (number === null) return false;
  if (expected === "amount")
    return new ExactDecimal(number).abs().lt(MAX_AMOUNT);
  const size = Number(number);
  return expected === "number" || (Number.isSafeInteger(size) && size >= 0);
}

/** What to do with a number that has no words or ordinal. */
export const FIGURES_HINT =
  "Print it in figures, as in {{ root.total | number }}.";

export const NUMBER_HINT =
  "Send a JSON number, with a point before the decimals and no separators, such as 1234.5.";

/** What to send in place of a value that should be yes or no; null when nobody knows. */
export function getBooleanHint(value: unknown): string | null {
  const isSingle = typeof value === "string" || typeof value === "number";
  const meant = isSingle ? parseBooleanText(String(value)) : null;
  if (meant === null) return null;
  return `Send ${meant}${typeof value === "string" ? " without quotes" : ""}. In files, a Boolean field reads such values.`;
}

/** Whether a value was meant as seconds since 1970: 20261231 and 2026 are a day and a year without their separators. */
function looksLikeSeconds(value: unknown): boolean {
  return isEpochSeconds(value) && !/^\d{4}(\d{4})?$/.test(String(value));
}

/** How to write the date that a value was meant to be. */
export function getDateHint(value: unknown): string {
  if (looksLikeSeconds(value))
    return `It looks like seconds since 1970. Send milliseconds (${Number(value) * 1000}) or ISO 8601.`;
  return typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value)
    ? "The calendar has no such day or time."
    : 'Use ISO 8601, such as "2026-12-31" or "2026-12-31T12:00:00Z".';
}

/** Names a value in at most about 80 characters. */
export function describeValue(value: unknown): string {
  if (value instanceof SafeHtml) return "formatted text";
  if (value instanceof ExactDecimal) return numericText(value);
  switch (typeof value) {
    case "undefined":
      return "nothing";
    case "string":
      return value === ""
        ? "an empty text"
        : `the text ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`;
    case "object":
      if (value === null) return "null";
      if (!isList(value)) return "an object";
      if (value.length === 0) return "an empty array";
      return `an array of ${value.length === 1 ? "1 value" : `${value.length} values`}`;
    default:
      return String(value);
  }
}

const WORD = /^[\p{L}\p{M}_$][\p{L}\p{M}\p{N}_$]*$/u;

/** One key of a path with concrete indexes, as in `root.lines[0].price`. */
export function writeStep(key: string): string {
  if (isIndex(key)) return `[${key}]`;
  return WORD.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** A value at the end of a path, which may cross collections, and its path with concrete indexes. */
export interface Leaf {
  readonly path: string;
  /** Undefined when the record has no such key; `path` then ends with that key. */
  readonly value: unknown;
}

/** Lists what the keys read from the value, in their order. The elements of a list at the end are listed one by one. */
export function* listLeaves(
  value: unknown,
  path: string,
  keys: readonly string[],
  context: MergeContext,
): Iterable<Leaf> {
  const [key, ...rest] = keys;
  if (isList(value) && (key === undefined || !isIndex(key))) {
    for (const [index, element] of value.entries()) {
      const at = `${path}[${index}]`;
      if (key === undefined) yield { path: at, value: element };
      else if (!isList(element)) yield* listLeaves(element, at, keys, context);
    }
  } else if (key === undefined || value === null || value === undefined) {
    yield { path, value };
  } else {
    const next = readKey(value, key, context);
    yield* listLeaves(next, path + writeStep(key), rest, context);
  }
}
