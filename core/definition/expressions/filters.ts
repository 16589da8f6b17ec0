import { suggestNames } from "../../plugin-api/index.js";
import { isCurrency } from "../schema/known-values.js";
import { dateFilters } from "./date-filter.js";
import {
  countArgument,
  groupingArgument,
  isGrouping,
  localeArgument,
  textArgument,
  type FilterDefinition,
  currencyArgument,
  type Format,
  type Grouping,
  argumentError,
} from "./filter-definition.js";
import { wordFilters } from "./word-filters.js";
import { literalOf } from "./functions.js";
import { markdownToHtml } from "./markdown.js";
import { chargeMarkup, escapeHtml } from "./output.js";
import type { FilterNode } from "./parse.js";
import { suggestFilter } from "./foreign-syntax.js";
import { bindingError, getProblem } from "./problem.js";
import { cutText, sliceText, splitText, startsWithPart } from "./text-parts.js";
import {
  concatenate,
  containsValue,
  isList,
  safeLocale,
  isEmpty,
  toText,
  formatNumber,
  numberFormatFor,
  cacheLast,
  toNumeric,
  SafeHtml,
} from "./values.js";

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;

const upper: FilterDefinition = {
  usage: "upper",
  min: 0,
  max: 1,
  bind: ([tag]) => {
    const locale = localeArgument(tag);
    return (value, context) =>
      toText(value).toLocaleUpperCase(safeLocale(locale ?? context.locale));
  },
};

const lower: FilterDefinition = {
  usage: "lower",
  min: 0,
  max: 1,
  bind: ([tag]) => {
    const locale = localeArgument(tag);
    return (value, context) =>
      toText(value).toLocaleLowerCase(safeLocale(locale ?? context.locale));
  },
};

/** Capitalizes the first letter of each word and lowercases the others. */
const title: FilterDefinition = {
  usage: "title",
  min: 0,
  max: 1,
  bind: ([tag]) => {
    const given = localeArgument(tag);
    return (value, context) => {
      const locale = safeLocale(given ?? context.locale);
      return toText(value).replace(WORD, (word) => {
        const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
        const rest = word.slice(first.length);
        return first.toLocaleUpperCase(locale) + rest.toLocaleLowerCase(locale);
      });
    };
  },
};

/** Cuts the text to a number of characters as readers count them; the ending is added to what is left. */
const truncate: FilterDefinition = {
  usage: 'truncate(length, "…")',
  min: 1,
  max: 2,
  counts: 1,
  bind: ([length, ending]) => {
    const max = countArgument(length) ?? Number.POSITIVE_INFINITY;
    const mark = textArgument(ending) ?? "…";
    return (value) => {
      const text = toText(value);
      if (text.length <= max) return text;
      const cut = cutText(text, max);
      return cut.length === text.length ? text : cut.trimEnd() + mark;
    };
  },
};

const fallback: FilterDefinition = {
  usage: 'default("-")',
  min: 1,
  max: 1,
  takesEmpty: true,
  bind: ([instead]) => {
    return (value) => (isEmpty(value) ? instead : value);
  },
};

/**
 * `mask("####-####")`: each # prints the next letter or digit of the value, each * hides one, and anything else is
 * printed. The rest of the value is appended.
 */
const mask: FilterDefinition = {
  usage: 'mask("####-####")',
  min: 1,
  max: 1,
  bind: ([form]) => {
    const pattern = textArgument(form) ?? "";
    return (value) => applyMask(toText(value), pattern);
  },
};

function applyMask(text: string, pattern: string): string {
  const rest = text.match(/[\p{L}\p{N}]/gu) ?? [];
  let out = "";
  for (const char of pattern) {
    if (rest.length === 0) break;
    const isPlace = char === "#" || char === "*";
    const next = isPlace ? rest.shift() : undefined;
    out += char === "#" ? next : char;
  }
  return out + rest.join("");
}

const replace: FilterDefinition = {
  usage: 'replace("a", "b")',
  min: 2,
  max: 2,
  bind: ([part, replacement]) => {
    const separator = toText(part);
    return (value, context, where) =>
      separator === ""
        ? value
        : concatenate(
            splitText(toText(value), separator, context),
            where,
            context,
            toText(replacement),
          );
  },
};

/** The list of the texts between the separators; with an empty separator, of the characters. */
const split: FilterDefinition = {
  usage: 'split(", ")',
  min: 1,
  max: 1,
  bind: ([separator]) => {
    const isMissing = separator === undefined || separator === null;
    return (value, context) =>
      isMissing
        ? [toText(value)]
        : splitText(toText(value), toText(separator), context);
  },
};

/** Characters of a text or elements of a list: from `start`, counted from 0 or, if negative, from the end. */
const slice: FilterDefinition = {
  usage: "slice(start, length)",
  min: 1,
  max: 2,
  counts: 2,
  takesLists: true,
  bind: ([from, count]) => {
    const start = countArgument(from, undefined, Number.NEGATIVE_INFINITY) ?? 0;
    const length = countArgument(count);
    const last = length === undefined ? undefined : start + length;
    const end = start < 0 && last !== undefined && last >= 0 ? undefined : last;
    return (value, context) => {
      if (!isList(value)) return sliceText(toText(value), start, end, context);
      const elements = value.slice(start, end);
      context.spend(elements.length);
      return elements;
    };
  },
};

const contains: FilterDefinition = {
  usage: 'contains("a")',
  min: 1,
  max: 1,
  takesEmpty: true,
  takesLists: true,
  bind: ([wanted]) => {
    return (value, context) => containsValue(value, wanted, undefined, context);
  },
};

const startsWith: FilterDefinition = {
  usage: 'startsWith("a")',
  min: 1,
  max: 1,
  takesEmpty: true,
  bind: ([part]) => {
    return (value, context) =>
      startsWithPart(toText(value), toText(part), context);
  },
};

const textFilters = {
  upper,
  lower,
  title,
  truncate,
  default: fallback,
  mask,
  replace,
  split,
  slice,
  contains,
  startsWith,
};

const markdown: FilterDefinition = {
  usage: "markdown",
  min: 0,
  max: 0,
  bind: () => (value, context) =>
    value instanceof SafeHtml
      ? value
      : markdownToHtml(chargeMarkup(toText(value), context)),
};

/** Newlines become `<br/>`, which is also valid XML; everything else is escaped. */
const nl2br: FilterDefinition = {
  usage: "nl2br",
  min: 0,
  max: 0,
  bind: () => (value) => {
    if (value instanceof SafeHtml) return value;
    const text = toText(value);
    const html = escapeHtml(text).replaceAll(/\r\n|\r|\n/g, "<br/>");
    return new SafeHtml(html, text);
  },
};

const markupFilters = { markdown, nl2br };

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
    return formatNumber(number, formatIn(locale ?? context.locale));
  };
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
  takes: "number",
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
  takes: "number",
  bind: ([count, tag]) => {
    const digits = countArgument(count, MAX_DECIMALS);
    const options = digits === undefined ? decimals(2, 0) : decimals(digits);
    const style = { ...options, style: "percent" } as const;
    return formatting(`percent ${digits}`, style, localeArgument(tag));
  },
};

/** The grouping may be the last of fewer arguments: `currency("always")`. */
const currency: FilterDefinition = {
  usage: 'currency("EUR", "de-DE", "always")',
  min: 0,
  max: 3,
  takes: "number",
  needsArgument: true,
  bind: (args) => {
    const last = args.find(isGrouping);
    const [unit, tag, third] =
      last === undefined ? args : args.filter((argument) => argument !== last);
    const given = currencyArgument(unit);
    const locale = localeArgument(tag);
    const grouping = last ?? groupingArgument(third);
    if (given !== undefined) return inCurrency(given, locale, grouping);
    const formatOf = cacheLast((code) =>
      isCurrency(code) ? inCurrency(code, locale, grouping) : null,
    );
    return (value, context, where) => {
      const format = formatOf(context.currency);
      return format ? format(value, context, where) : value;
    };
  },
};

function inCurrency(
  code: string,
  locale: string | undefined,
  grouping: Grouping | undefined,
): Format {
  const options = {
    style: "currency",
    currency: code,
    signDisplay: "negative",
    ...(grouping && { useGrouping: grouping }),
  } as const;
  return formatting(`currency ${code} ${grouping}`, options, locale);
}

const numberFilters = { number, percent, currency };

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

const filters: ReadonlyMap<string, FilterDefinition> = new Map(
  Object.entries({
    ...numberFilters,
    ...dateFilters,
    ...textFilters,
    ...markupFilters,
    ...wordFilters,
  }),
);

/** The closed list of filters. */
export const FILTER_NAMES: readonly string[] = [...filters.keys()];

/** The syntax of each with all arguments. */
export const FILTER_USAGES: readonly string[] = Array.from(
  filters.values(),
  ({ usage }) => usage,
);

/**
 * @param locale that of all documents, where it is known
 * @throws PlatenError `invalid_definition` for an unknown filter or arguments that it does not take.
 */
export function resolveFilter(
  node: FilterNode,
  source: string,
  locale?: string,
): FilterDefinition {
  const { name, args } = node;
  const at = { expression: source, column: node.nameStart + 1 };
  const definition = filters.get(name);
  if (!definition)
    throw bindingError({ ...unknownFilter(name, source), ...at });
  const { min, max, usage } = definition;
  if (args.length < min || args.length > max) {
    const wanted = min === max ? `${min}` : `${min} to ${max}`;
    const noun = wanted === "1" ? "argument" : "arguments";
    const message = `The filter ${name} takes ${wanted} ${noun}, not ${args.length}.`;
    const hint = `Write ${usage}.`;
    throw bindingError({ code: "invalid_arguments", message, hint, ...at });
  }
  try {
    const values = args.map(literalOf);
    definition.bind(values);
    if (locale !== undefined && args.every(({ kind }) => kind === "literal"))
      definition.checkLocale?.(values, locale);
  } catch (error) {
    throw bindingError({
      hint: `Write ${usage}.`,
      ...getProblem(error),
      ...at,
    });
  }
  return definition;
}

function unknownFilter(name: string, source: string) {
  return {
    code: "unknown_filter",
    message: `Unknown filter "${name}".`,
    hint:
      suggestFilter(name, source) ?? suggestNames(name, FILTER_NAMES, String),
  };
}
