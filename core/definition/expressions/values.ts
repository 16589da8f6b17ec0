import { Decimal } from "decimal.js";
import { LRUCache } from "lru-cache";
import { PlatenError } from "../../plugin-api/index.js";
import type { ValueType } from "../schema/data-schema.js";
import { isLocale } from "../schema/known-values.js";
import {
  compareDateValues,
  isEpochSeconds,
  toStartTime,
  toDateValue,
} from "./dates.js";
import { includesPart } from "./text-parts.js";

// How values of the data are read, printed, calculated, compared and sorted.

/** What reading and comparing values needs of a merge. */
export interface ValueContext {
  locale: string;
  timeZone: string;
  /** Counts loop iterations; throws PlatenError `merge_failed` beyond the limit. */
  spend(iterations: number): void;
}

/** Markup that is already safe, made by the `markdown` and `nl2br` filters; `text` is the same without markup. */
export class SafeHtml {
  constructor(
    readonly html: string,
    readonly text: string,
  ) {}
}

const INDEX = /^\d{1,9}$/;

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !isList(value);
}

/** Whether a key reads one element of a list. */
export function isIndex(key: string): boolean {
  return INDEX.test(key);
}

/**
 * Reads one key: an own enumerable property of an object, an element of a list by index, or the values of the key in
 * all elements of a list. Undefined when there is none; null stays null. Texts have no properties.
 */
export function readKey(
  value: unknown,
  key: string,
  context: ValueContext,
): unknown {
  if (typeof value !== "object") return undefined;
  if (value === null) return null;
  if (isList(value)) return readList(value, key, context, false);
  return isOwn(value, key) ? value[key] : undefined;
}

function isOwn<K extends string>(
  value: object,
  key: K,
): value is Record<K, unknown> {
  return Object.prototype.propertyIsEnumerable.call(value, key);
}

function readList(
  list: readonly unknown[],
  key: string,
  context: ValueContext,
  keepsMissing: boolean,
): unknown {
  if (INDEX.test(key)) return list[Number(key)];
  context.spend(list.length);
  const values: unknown[] = [];
  for (const element of list) {
    if (isList(element)) continue;
    const value = readKey(element, key, context);
    if (isList(value)) for (const part of value) values.push(part);
    else if (value === undefined ? keepsMissing : value !== null)
      values.push(value);
  }
  return values;
}

export function readKeys(
  value: unknown,
  keys: readonly string[],
  context: ValueContext,
): unknown {
  let current = value;
  for (const key of keys) current = readKey(current, key, context);
  return current;
}

/** Reads key after key; a list has `undefined` for each element without the key. */
export function readKeysWithGaps(
  value: unknown,
  keys: readonly string[],
  context: ValueContext,
): unknown {
  let current = value;
  for (const key of keys) {
    current = isList(current)
      ? readList(current, key, context, true)
      : readKey(current, key, context);
  }
  return current;
}

/** The elements of a list, or a single object as a list of one; null for anything else. */
export function toElements(value: unknown): readonly unknown[] | null {
  if (isList(value)) return value;
  return isRecord(value) ? [value] : null;
}

/** Prints a value without a filter: nothing for empty values, plain numbers, lists with commas. */
export function toText(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return Number.isFinite(value) ? numericText(value) : "";
    case "boolean":
      return String(value);
    case "object":
      return value === null ? "" : objectText(value);
    default:
      return "";
  }
}

/** Records print nothing, also inside a list. */
function objectText(value: object): string {
  if (value instanceof SafeHtml) return value.text;
  if (value instanceof ExactDecimal) return numericText(value);
  if (!isList(value)) return "";
  return value
    .map((element) => (isList(element) ? "" : toText(element)))
    .filter((text) => text !== "")
    .join(", ");
}

/** Whether printing loses a part of a value: a record, or a record or list within a list. */
export function losesPart(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (!isList(value)) return isPlainRecord(value);
  return value.some((element) =>
    isList(element) ? element.length > 0 : isPlainRecord(element),
  );
}

/** Whether printing the elements of a list, or else the value, one by one loses a part. */
export function losesPartOfElement(value: unknown): boolean {
  return isList(value) ? value.some(losesPart) : losesPart(value);
}

function isPlainRecord(value: unknown): boolean {
  const isPrinted = value instanceof SafeHtml || value instanceof ExactDecimal;
  return isRecord(value) && !isPrinted;
}

/** Whether there is nothing to print: no value, an empty text or an empty list. Zero and false are not empty. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (value instanceof SafeHtml) return value.text === "" && value.html === "";
  return isList(value) && value.length === 0;
}

/** Whether a value counts as true in a test. Empty values, zero and false do not. */
export function isTrue(value: unknown): boolean {
  return value !== false && value !== 0 && !isEmpty(value);
}

/** The longest text that an expression or template string may produce: the limit of the merged html. */
const MAX_TEXT_LENGTH = 32 * 1024 * 1024;

/**
 * Keeps texts far below the maximum string length of the engine.
 * @throws PlatenError `merge_failed` beyond the limit.
 */
export function checkLength(characters: number, where: string): void {
  if (characters <= MAX_TEXT_LENGTH) return;
  throw new PlatenError(
    "merge_failed",
    `The text at ${where || "$"} is longer than ${MAX_TEXT_LENGTH} characters. ` +
      "Print less data there, or split the document.",
  );
}

const CHARACTERS_PER_ITERATION = 1000;

/** Joins the texts of all values, which counts long texts. @throws PlatenError `merge_failed` beyond the limit. */
export function concatenate(
  values: readonly unknown[],
  where: string,
  context: ValueContext,
  separator = "",
): string {
  let length = 0;
  const texts = values.map((value) => {
    const text = toText(value);
    length += text.length + separator.length;
    checkLength(length, where);
    return text;
  });
  context.spend(Math.floor(length / CHARACTERS_PER_ITERATION));
  return texts.join(separator);
}

/** An exact decimal number; a plain number when it has at most 15 digits. */
export type Numeric = number | Decimal;

const PRECISION = 40;

/** The precision exceeds any amount; exponents are limited so that no number prints megabytes of zeros. */
export const ExactDecimal = Decimal.clone({
  precision: PRECISION,
  rounding: Decimal.ROUND_HALF_UP,
  maxE: 400,
  minE: -400,
});

const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?\s*$/i;
const MAX_LENGTH = 400;
const SAFE_DIGITS = 15;

/** Converts numbers and numeric texts; null for anything else. */
export function toNumeric(value: unknown): Numeric | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "string") return parseNumeric(value);
  return value instanceof ExactDecimal ? value : null;
}

function parseNumeric(text: string): Numeric | null {
  if (text.length > MAX_LENGTH || !NUMBER.test(text)) return null;
  if (text.length <= SAFE_DIGITS) return Number(text);
  return normalizeDecimal(new ExactDecimal(text.trim()));
}

/** Returns a plain number when that loses no precision; null when the decimal is not finite. */
export function normalizeDecimal(decimal: Decimal): Numeric | null {
  if (!decimal.isFinite()) return null;
  const fits = decimal.precision() <= SAFE_DIGITS && Math.abs(decimal.e) < 300;
  return fits ? decimal.toNumber() : decimal;
}

/** Compares two numbers like a sort function. */
function compareNumeric(a: Numeric, b: Numeric): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return new ExactDecimal(a).comparedTo(b);
}

/** Prints without an exponent. Endless results of divisions are rounded to 15 digits where possible. */
export function numericText(value: Numeric): string {
  if (typeof value === "number") {
    const text = String(value);
    return text.includes("e") ? new ExactDecimal(value).toFixed() : text;
  }
  const isEndless = value.precision() > PRECISION - 6 && !value.isInteger();
  const digits = Math.max(SAFE_DIGITS, value.e + 3);
  return (isEndless ? value.toSignificantDigits(digits) : value).toFixed();
}

// Exact decimal arithmetic. Amounts with up to four decimals take a fast path: as whole numbers of ten-thousandths.
// When round(x * 10^4) / 10^4 equals x and has at most 15 digits, that whole number is exactly the decimal that x
// prints as. Sums and products of such whole numbers below 2^53 are exact, and one division by a power of ten gives the
// double that prints as the exact result.

export type Arithmetic = "+" | "-" | "*" | "/" | "%";

const SCALE = 10_000;
const MOST = 1e15;

/** Returns ten-thousandths, or NaN when the fast path does not apply. */
function scaled(value: Numeric): number {
  if (typeof value !== "number") return Number.NaN;
  const whole = Math.round(value * SCALE);
  return whole / SCALE === value && Math.abs(whole) < MOST ? whole : Number.NaN;
}

/** Returns null for a division by zero and for results beyond 400 digits. */
export function calculate(
  operator: Arithmetic,
  a: Numeric,
  b: Numeric,
): Numeric | null {
  const quick = calculateFast(operator, scaled(a), scaled(b));
  return Number.isNaN(quick) ? calculateExactly(operator, a, b) : quick;
}

function calculateFast(operator: Arithmetic, a: number, b: number): number {
  if (operator === "+") return (a + b) / SCALE;
  if (operator === "-") return (a - b) / SCALE;
  if (operator !== "*") return Number.NaN;
  const product = a * b;
  return Math.abs(product) < MOST ? product / (SCALE * SCALE) : Number.NaN;
}

function calculateExactly(
  operator: Arithmetic,
  a: Numeric,
  b: Numeric,
): Numeric | null {
  const left = new ExactDecimal(a);
  switch (operator) {
    case "+":
      return normalizeDecimal(left.plus(b));
    case "-":
      return normalizeDecimal(left.minus(b));
    case "*":
      return normalizeDecimal(left.times(b));
    case "/":
      return normalizeDecimal(left.dividedBy(b));
    default:
      return normalizeDecimal(left.modulo(b));
  }
}

export function sum(values: Iterable<Numeric>): Numeric | null {
  let whole = 0;
  let total: Numeric | null = 0;
  for (const value of values) {
    const next = whole + scaled(value);
    if (Math.abs(next) < MOST) whole = next;
    else total = total === null ? null : calculateExactly("+", total, value);
  }
  return total === null ? null : calculate("+", total, whole / SCALE);
}

// Comparison shared by operators, rules, sorting, grouping, MIN and MAX.

/** Without a type, two values compare as numbers or dates when both are, else as texts. */
function guessType(a: unknown, b: unknown, context: ValueContext): ValueType {
  if (toNumeric(a) !== null && toNumeric(b) !== null) return "Number";
  return isDate(a, context) && isDate(b, context) ? "Date" : "String";
}

function isDate(value: unknown, { timeZone }: ValueContext): boolean {
  const isTime = typeof value === "number" && !isEpochSeconds(value);
  return (
    (typeof value === "string" || isTime) &&
    toDateValue(value, timeZone) !== null
  );
}

/** Returns null when a value is empty or not of the type. */
export function compareValues(
  a: unknown,
  b: unknown,
  type: ValueType | undefined,
  context: ValueContext,
): number | null {
  if (isEmpty(a) || isEmpty(b)) return null;
  switch (type ?? guessType(a, b, context)) {
    case "Number":
      return compareNumbers(toNumeric(a), toNumeric(b));
    case "Date":
      return compareDates(a, b, context);
    default:
      return collatorFor(context.locale).compare(toText(a), toText(b));
  }
}

function compareNumbers(a: Numeric | null, b: Numeric | null): number | null {
  return a === null || b === null ? null : compareNumeric(a, b);
}

function compareDates(
  a: unknown,
  b: unknown,
  { timeZone }: ValueContext,
): number | null {
  const left = toDateValue(a, timeZone);
  const right = toDateValue(b, timeZone);
  return left && right ? compareDateValues(left, right, timeZone) : null;
}

/** Empty values equal each other and nothing else; values that are not of the type are equal as texts. */
export function areEqual(
  a: unknown,
  b: unknown,
  type: ValueType | undefined,
  context: ValueContext,
): boolean {
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  const bothTexts = typeof a === "string" && typeof b === "string";
  const by = type ?? (bothTexts ? "String" : guessType(a, b, context));
  const order = by === "String" ? null : compareValues(a, b, by, context);
  return order === null ? toText(a) === toText(b) : order === 0;
}

/** Whether a text contains a part, or a list an element. Empty values contain nothing, and nothing contains them. */
export function containsValue(
  value: unknown,
  wanted: unknown,
  type: ValueType | undefined,
  context: ValueContext,
): boolean {
  if (isEmpty(value) || isEmpty(wanted)) return false;
  if (!isList(value))
    return includesPart(toText(value), toText(wanted), context);
  context.spend(value.length);
  return value.some((element) => areEqual(element, wanted, type, context));
}

/** The sort key of a value; null, which sorts last, when it is empty or not of the type. */
export type SortKey = Numeric | string | null;

export function sortKey(
  value: unknown,
  type: ValueType,
  { timeZone }: ValueContext,
): SortKey {
  if (isEmpty(value)) return null;
  if (type === "Number") return toNumeric(value);
  if (type === "String") return toText(value) || null;
  const dateValue = toDateValue(value, timeZone);
  return dateValue && toStartTime(dateValue, timeZone);
}

/**
 * Compares two keys of one type. Empty keys are last in both directions.
 * @param isNatural whether numbers within texts are compared by their values
 */
export function compareKeys(
  a: SortKey,
  b: SortKey,
  direction: 1 | -1,
  locale: string,
  isNatural = false,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a !== "string" && typeof b !== "string") {
    return direction * compareNumeric(a, b);
  }
  const collator = collatorFor(locale, isNatural);
  return direction * collator.compare(String(a), String(b));
}

// Intl objects are slow to create and fast to use, so a bounded number is cached.

const FALLBACK = "en-US";
const NATURAL = { numeric: true };
const collators = new LRUCache<string, Intl.Collator>({ max: 100 });
const pluralRules = new LRUCache<string, Intl.PluralRules>({ max: 100 });
const numberFormats = new LRUCache<string, Intl.NumberFormat>({ max: 500 });
const dateFormats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

/** Returns the tag, or en-US when it is invalid. */
export function safeLocale(tag: string): string {
  return isLocale(tag) ? tag : FALLBACK;
}

function collatorFor(locale: string, isNatural = false): Intl.Collator {
  return getOrCreate(
    collators,
    isNatural ? `${locale} natural` : locale,
    () => new Intl.Collator(safeLocale(locale), isNatural ? NATURAL : {}),
  );
}

/** `name` identifies the options in the cache: equal names must mean equal options. */
export function numberFormatFor(
  locale: string,
  name: string,
  options: Intl.NumberFormatOptions,
): Intl.NumberFormat {
  return getOrCreate(
    numberFormats,
    `${locale} ${name}`,
    () => new Intl.NumberFormat(safeLocale(locale), options),
  );
}

/** Formats all digits. */
export function formatNumber(
  number: Numeric,
  format: Intl.NumberFormat,
): string {
  if (typeof number === "number") return format.format(number);
  const digits = number.toFixed();
  return isNumeric(digits) ? format.format(digits) : digits;
}

/** Intl formats a string of digits without loss of precision. */
function isNumeric(digits: string): digits is Intl.StringNumericLiteral {
  return /^-?\d/.test(digits);
}

export function pluralRulesFor(
  locale: string,
  type: Intl.PluralRuleType,
): Intl.PluralRules {
  return getOrCreate(
    pluralRules,
    `${locale} ${type}`,
    () => new Intl.PluralRules(safeLocale(locale), { type }),
  );
}

export type DateStyle = NonNullable<Intl.DateTimeFormatOptions["dateStyle"]>;

export function dateFormatFor(
  locale: string,
  dateStyle: DateStyle,
  timeZone: string,
): Intl.DateTimeFormat {
  return getOrCreate(
    dateFormats,
    `${locale} ${dateStyle} ${timeZone}`,
    () => new Intl.DateTimeFormat(safeLocale(locale), { dateStyle, timeZone }),
  );
}

function getOrCreate<T extends object>(
  cache: LRUCache<string, T>,
  key: string,
  make: () => T,
): T {
  const cached = cache.get(key);
  if (cached) return cached;
  const made = make();
  cache.set(key, made);
  return made;
}

/** Caches the last result: all values of a template use the same locale and currency. */
export function cacheLast<T>(
  answerTo: (question: string) => T,
): (question: string) => T {
  let last: { question: string; answer: T } | undefined;
  return (question) => {
    if (last?.question !== question)
      last = { question, answer: answerTo(question) };
    return last.answer;
  };
}
