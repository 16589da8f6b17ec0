import { chargeMarkup, markdownToHtml } from "../output/sanitize.js";
import { escapeHtml } from "../output/escape.js";
import { SafeHtml } from "../types.js";
import { safeLocale } from "../values/locale.js";
import { isEmpty, toText } from "../values/text.js";
import {
  countArgument,
  localeArgument,
  textArgument,
  type FilterDefinition,
} from "./filter-definition.js";

const MAX_LENGTH = 100_000;
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
  bind: ([length, ending]) => {
    const max = countArgument(length, MAX_LENGTH) ?? MAX_LENGTH;
    const mark = textArgument(ending) ?? "…";
    return (value) => {
      const text = toText(value);
      if (text.length <= max) return text;
      const cut = cutAt(text, max);
      return cut.length === text.length ? text : cut.trimEnd() + mark;
    };
  },
};

const graphemes = new Intl.Segmenter("en");

function cutAt(text: string, max: number): string {
  let count = 0;
  for (const { index } of graphemes.segment(text)) {
    if (count++ === max) return text.slice(0, index);
  }
  return text;
}

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

export const textFilters = {
  upper,
  lower,
  title,
  truncate,
  default: fallback,
  mask,
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

export const markupFilters = { markdown, nl2br };
