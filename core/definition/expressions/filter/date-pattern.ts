import { createRequire } from "node:module";
import type { Locale } from "date-fns";
import { format } from "date-fns/format";
import { LRUCache } from "lru-cache";
import { numberFormatFor, safeLocale } from "../value/locale.js";
import { zonedDate } from "../value/zoned-date.js";
import { argumentError } from "./filter-definition.js";

const LONGEST = 100;

/** date-fns carries 95 locales: each is loaded when it is first asked for, as merging cannot wait for an import. */
const require = createRequire(import.meta.url);
const locales = new LRUCache<string, { locale?: Locale }>({ max: 100 });
/** A pattern costs ten microseconds, and the documents of a batch share their dates. */
const printed = new LRUCache<string, string>({ max: 2000 });

/** @throws PlatenError `invalid_definition` for a pattern that date-fns does not read */
export function checkDatePattern(pattern: string): void {
  const hint =
    'Write "dd MMM yyyy", and put other letters between single quotes.';
  if (pattern.length > LONGEST) {
    throw argumentError(`The date pattern is over ${LONGEST} characters.`);
  }
  try {
    format(0, pattern);
  } catch {
    const isOldStyle = /[YD]/.test(pattern);
    throw argumentError(
      `"${pattern}" is no date pattern.`,
      isOldStyle ? 'Write "yyyy" for the year and "dd" for the day.' : hint,
    );
  }
}

/** @param time epoch milliseconds. Digits are the locale's own, as Intl has them. */
export function formatByPattern(
  time: number,
  pattern: string,
  tag: string,
  timeZone: string,
): string {
  const key = `${time} ${timeZone} ${tag} ${pattern}`;
  const known = printed.get(key);
  if (known !== undefined) return known;
  const locale = dateLocale(tag);
  const text = format(zonedDate(time, timeZone), pattern, locale);
  const result = withDigitsOf(tag, text);
  printed.set(key, result);
  return result;
}

function withDigitsOf(tag: string, text: string): string {
  const digits = numberFormatFor(tag, "digit", { useGrouping: false });
  if (digits.format(0) === "0") return text;
  return text.replace(/\d/g, (digit) => digits.format(Number(digit)));
}

/** The nearest locale that date-fns has: with the region, else without it, else its own English. */
function dateLocale(tag: string): { locale?: Locale } {
  const known = locales.get(tag);
  if (known) return known;
  const { language, region, script } = new Intl.Locale(
    safeLocale(tag),
  ).maximize();
  const names = [`${language}-${region}`, `${language}-${script}`, language];
  const locale = names.map(loadLocale).find((found) => found !== null);
  const result = locale ? { locale } : {};
  locales.set(tag, result);
  return result;
}

/** The name is made of subtags that Intl has checked: letters and digits only. */
function loadLocale(name: string): Locale | null {
  try {
    const module: object = require(`date-fns/locale/${name}`);
    return Object.values(module).find(isDateLocale) ?? null;
  } catch {
    return null;
  }
}

function isDateLocale(value: unknown): value is Locale {
  return typeof value === "object" && value !== null && "formatLong" in value;
}
