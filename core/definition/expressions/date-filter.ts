import { LRUCache } from "lru-cache";
import { PlatenError } from "../../plugin-api/index.js";
import { zoneOffset } from "../../plugin-api/time-zones.js";
import { toDateValue, type DateValue } from "./dates.js";
import {
  localeArgument,
  textArgument,
  timeZoneArgument,
  type FilterDefinition,
  argumentError,
} from "./filter-definition.js";
import { findMeantDatePattern } from "./foreign-dates.js";
import { getProblem } from "./problem.js";
import dateWords from "./date-words.json" with { type: "json" };
import {
  dateFormatFor,
  type DateStyle,
  numberFormatFor,
  pluralRulesFor,
  safeLocale,
} from "./values.js";

const STYLES: readonly DateStyle[] = ["short", "medium", "long", "full"];

/**
 * `date("dd MMM yyyy")`, or a style such as "long" for the format of the locale; the default is "medium". A date
 * without time is a calendar day that no time zone shifts.
 */
const date: FilterDefinition = {
  usage: 'date("dd MMM yyyy", "fr-FR", "Europe/Paris")',
  min: 0,
  max: 3,
  takes: "date",
  bind: ([form, tag, zone]) => {
    const pattern = textArgument(form) ?? "medium";
    const style = STYLES.find((name) => name === pattern);
    const locale = localeArgument(tag);
    const timeZone = timeZoneArgument(zone);
    const print = style ? byStyle(style) : byPattern(pattern);
    if (locale !== undefined) checkCalendar(style ? null : pattern, locale);
    return (value, context) => {
      const dateValue = toDateValue(value, context.timeZone);
      if (!dateValue) return value;
      const effectiveZone = dateValue.isDay
        ? "UTC"
        : (timeZone ?? context.timeZone);
      return print(dateValue, locale ?? context.locale, effectiveZone);
    };
  },
  checkLocale: ([form, tag], locale) => {
    if (tag !== undefined) return;
    const pattern = textArgument(form) ?? "medium";
    const isStyle = STYLES.some((name) => name === pattern);
    checkCalendar(isStyle ? null : pattern, locale);
  },
};

/** @throws `argumentError` for a calendar that is unknown, or that the pattern cannot be written in */
function checkCalendar(pattern: string | null, tag: string): void {
  const requested = new Intl.Locale(tag).calendar;
  const calendar = getCalendar(tag);
  if (
    requested !== undefined &&
    (requested !== calendar || requested === "iso8601")
  )
    throw argumentError(
      `The calendar "${requested}" of the locale "${tag}" has no dates.`,
      `Write one of ${listCalendars().join(", ")}, or leave "-u-ca-${requested}" out.`,
    );
  if (pattern === null || compilePattern(pattern, findDateLocale(tag))) return;
  throw argumentError(
    `The pattern "${pattern}" cannot be written in the calendar ${calendar} of the locale "${tag}".`,
    `Use "long" or another style, or a locale with another calendar, such as "${new Intl.Locale(tag, { calendar: "gregory" }).toString()}".`,
  );
}

/** Intl has no words for dates of ISO 8601. */
function listCalendars(): string[] {
  const calendars = Intl.supportedValuesOf("calendar");
  return calendars.filter((calendar) => calendar !== "iso8601");
}

/** The calendar in which a locale writes dates. */
function getCalendar(tag: string): string {
  const { calendar } = dateFormatFor(tag, "short", "UTC").resolvedOptions();
  return calendar;
}

type DatePrinter = (
  dateValue: DateValue,
  locale: string,
  timeZone: string,
) => string;

function byStyle(style: DateStyle): DatePrinter {
  return ({ time }, locale, timeZone) => {
    if (locale.includes("-u-")) checkCalendarOfRecord(null, locale);
    return dateFormatFor(locale, style, timeZone).format(time);
  };
}

/** @throws PlatenError `merge_failed` where the locale of a record or a request is the first to have the calendar */
function checkCalendarOfRecord(pattern: string | null, locale: string): void {
  try {
    checkCalendar(pattern, safeLocale(locale));
  } catch (error) {
    const { message, hint = "" } = getProblem(error);
    throw new PlatenError("merge_failed", `${message} ${hint}`.trimEnd());
  }
}

function byPattern(pattern: string): DatePrinter {
  checkDatePattern(pattern);
  return ({ time }, locale, timeZone) =>
    formatByPattern(time, pattern, locale, timeZone);
}

export const dateFilters = { date };

// Unicode's patterns (https://www.unicode.org/reports/tr35/tr35-dates.html#Date_Field_Symbol_Table) with the
// additions of date-fns: i and I are the weekday and the week of ISO 8601, R is their year, t and T are timestamps,
// P and p are the locale's own forms, and an o after a letter makes an ordinal. z prints GMT and the offset.

const MAX_LENGTH = 100;
const DAY_MS = 86_400_000;

/** P and p, quoted text, and anything else. */
const LONG_TOKENS = /P+p*|p+|''|'(?:''|[^'])+(?:'|$)|./g;
/** A letter and an o, the same letter any number of times, quoted text, and anything else. */
const TOKENS = /[yYQqMLwIdDecihHKkms]o|(\w)\1*|''|'(?:''|[^'])+(?:'|$)|./g;
/** The year of a week and the day of a year, which hardly anybody means. */
const REFUSED = ["YY", "YYYY", "D", "DD"];

const MONTH_OR_MINUTE = ' "MM" is the month, and "mm" are the minutes.';

const isValid = (pattern: string) =>
  compilePattern(pattern, findDateLocale("en-US")) !== null;

/** @throws PlatenError `invalid_definition` for a pattern that cannot be read, or that means something else elsewhere */
function checkDatePattern(pattern: string): void {
  if (pattern.length > MAX_LENGTH) {
    throw argumentError(
      `The date pattern is longer than ${MAX_LENGTH} characters.`,
    );
  }
  const meant = findMeantDatePattern(pattern);
  if (meant === null && isValid(pattern)) return;
  const message = `"${pattern}" is not a valid date pattern.`;
  if (meant && isValid(meant)) {
    const isMonth = meant.toLowerCase() === pattern.toLowerCase();
    const reason = isMonth && /m/i.test(meant) ? MONTH_OR_MINUTE : "";
    throw argumentError(message, `Write "${meant}".${reason}`);
  }
  const isOldStyle = /[YD]/.test(pattern);
  throw argumentError(
    message,
    isOldStyle
      ? 'Write "yyyy" for the year, "MM" for the month and "dd" for the day.'
      : 'Write "dd MMM yyyy", and put other letters between single quotes.',
  );
}

/** The documents of a batch share their patterns. */
const printers = new LRUCache<string, Print>({ max: 500 });

/** @param time epoch milliseconds. Digits are the locale's own, as Intl has them. */
function formatByPattern(
  time: number,
  pattern: string,
  tag: string,
  timeZone: string,
): string {
  const offset = zoneOffset(time, timeZone);
  const print = findPrinter(pattern, tag);
  return print({
    time: Math.trunc(time),
    clock: new Date(time + offset),
    offset: Math.trunc(offset / 60_000),
  });
}

/** A time as the clocks and the calendar of a zone show it. */
interface Reading {
  /** Epoch milliseconds. */
  readonly time: number;
  /** Its fields in UTC are those of the zone. */
  readonly clock: Date;
  /** Whole minutes ahead of UTC. */
  readonly offset: number;
}
type Print = (at: Reading) => string;
type Read = (at: Reading) => number;
/** Of a pattern: text, or what a token prints. */
type Part = string | Print;

function findPrinter(pattern: string, tag: string): Print {
  const key = `${tag} ${pattern}`;
  const cached = printers.get(key);
  if (cached) return cached;
  checkCalendarOfRecord(pattern, tag);
  const locale = findDateLocale(tag);
  const parts = compilePattern(pattern, locale) ?? [];
  const print: Print = (at) => {
    let text = "";
    for (const part of parts)
      text += typeof part === "string" ? part : part(at);
    return locale.localizeDigits(text);
  };
  printers.set(key, print);
  return print;
}

/** Null for a pattern that cannot be read. */
function compilePattern(
  pattern: string,
  locale: DateLocale,
): readonly Part[] | null {
  const expanded = pattern.replace(LONG_TOKENS, (token) =>
    /^p/i.test(token) ? locale.longPattern(token) : token,
  );
  const tokens = expanded.match(TOKENS);
  if (!tokens) return null;
  const hasMonthName = tokens.some((token) => /^MMMM?$/.test(token));
  const parts: Part[] = [];
  for (const token of tokens) {
    const isPlain = token === "do" && hasMonthName && locale.hasPlainDays;
    const part = isPlain ? plainDay(locale) : compileToken(token, locale);
    if (part === null) return null;
    parts.push(part);
  }
  return parts;
}

/** "1er" on the first day of a month, "2" on the second. */
function plainDay(locale: DateLocale): Print {
  const ordinal = locale.ordinal("date");
  return ({ clock }) => {
    const day = clock.getUTCDate();
    return day === 1 ? ordinal(day) : String(day);
  };
}

function compileToken(token: string, locale: DateLocale): Part | null {
  if (token === "''") return "'";
  if (token.startsWith("'"))
    return token.replace(/^'([^]*?)'?$/, "$1").replaceAll("''", "'");
  if (REFUSED.includes(token)) return null;
  const letter = token.charAt(0);
  if (locale.hasOtherField(letter)) return locale.compileOtherField(token);
  const name = NAMES[letter];
  if (name && token.length >= name.from)
    return compileName(token, name, locale);
  const number = NUMBERS[letter];
  if (number) return compileNumber(token, number, locale);
  if (letter === "S") return compileFraction(token.length);
  const zone = ZONES[letter];
  if (zone) return ({ offset }) => zone(offset, token.length);
  return /[a-z]/i.test(letter) ? null : token;
}

const year: Read = ({ clock }) => clock.getUTCFullYear();
const month: Read = ({ clock }) => clock.getUTCMonth();
const quarter: Read = (at) => Math.floor(month(at) / 3);
const weekday: Read = ({ clock }) => clock.getUTCDay();
const hour: Read = ({ clock }) => clock.getUTCHours();

interface NameField {
  /** The letter under which the locale has the names. */
  readonly names: string;
  /** Fewer letters are a number. */
  readonly from: number;
  readonly index: Read;
}

const NAMES: Readonly<Record<string, NameField>> = {
  G: { names: "G", from: 1, index: (at) => (year(at) > 0 ? 1 : 0) },
  Q: { names: "Q", from: 3, index: quarter },
  q: { names: "q", from: 3, index: quarter },
  M: { names: "M", from: 3, index: month },
  L: { names: "L", from: 3, index: month },
  E: { names: "E", from: 1, index: weekday },
  e: { names: "E", from: 3, index: weekday },
  i: { names: "E", from: 3, index: weekday },
  c: { names: "c", from: 3, index: weekday },
  a: { names: "B", from: 1, index: amOrPm },
  b: { names: "B", from: 1, index: noonOrMidnight },
  B: { names: "B", from: 1, index: partOfDay },
};

function compileName(token: string, field: NameField, locale: DateLocale) {
  const { length } = token;
  const hasShort = field.names === "E" || field.names === "c";
  let width = length === 5 || (length === 6 && hasShort) ? length : 4;
  if (length < 4) width = 3;
  const listed = locale.names(field.names.repeat(width));
  const isLower = token === "aaa" || token === "bbb";
  const names = isLower ? listed.map((name) => name.toLowerCase()) : listed;
  return (at: Reading) => names[field.index(at)] ?? "";
}

function amOrPm(at: Reading): number {
  return hour(at) < 12 ? 0 : 1;
}

function noonOrMidnight(at: Reading): number {
  if (hour(at) === 0) return 2;
  return hour(at) === 12 ? 3 : amOrPm(at);
}

/** Morning, afternoon, evening or night. */
function partOfDay(at: Reading): number {
  if (hour(at) < 4) return 7;
  if (hour(at) < 12) return 4;
  return hour(at) < 17 ? 5 : 6;
}

interface NumberField {
  readonly read: (at: Reading, locale: DateLocale) => number;
  /** What its ordinal counts. */
  readonly unit?: OrdinalUnit;
}

const NUMBERS: Readonly<Record<string, NumberField>> = {
  y: { read: (at) => yearOfEra(year(at)), unit: "year" },
  u: { read: year },
  Y: {
    read: (at, locale) => yearOfEra(getWeek(at, locale).year),
    unit: "year",
  },
  R: { read: (at) => getWeek(at, ISO_WEEKS).year },
  Q: { read: (at) => quarter(at) + 1, unit: "quarter" },
  q: { read: (at) => quarter(at) + 1, unit: "quarter" },
  M: { read: (at) => month(at) + 1, unit: "month" },
  L: { read: (at) => month(at) + 1, unit: "month" },
  w: { read: (at, locale) => getWeek(at, locale).week, unit: "week" },
  I: { read: (at) => getWeek(at, ISO_WEEKS).week, unit: "week" },
  d: { read: ({ clock }) => clock.getUTCDate(), unit: "date" },
  D: { read: dayOfYear, unit: "dayOfYear" },
  e: { read: localWeekday, unit: "day" },
  c: { read: localWeekday, unit: "day" },
  i: { read: (at) => weekday(at) || 7, unit: "day" },
  h: { read: (at) => hour(at) % 12 || 12, unit: "hour" },
  H: { read: hour, unit: "hour" },
  K: { read: (at) => hour(at) % 12, unit: "hour" },
  k: { read: (at) => hour(at) || 24, unit: "hour" },
  m: { read: ({ clock }) => clock.getUTCMinutes(), unit: "minute" },
  s: { read: ({ clock }) => clock.getUTCSeconds(), unit: "second" },
  t: { read: ({ time }) => Math.trunc(time / 1000) },
  T: { read: ({ time }) => time },
};

function compileNumber(
  token: string,
  { read, unit }: NumberField,
  locale: DateLocale,
): Print {
  if (unit && token.endsWith("o")) {
    const ordinal = locale.ordinal(unit);
    return (at) => ordinal(read(at, locale));
  }
  if (token === "yy") return (at) => pad(read(at, locale) % 100, 2);
  return (at) => pad(read(at, locale), token.length);
}

/** Of a second. */
function compileFraction(length: number): Print {
  const scale = 10 ** (length - 3);
  return ({ clock }) =>
    pad(Math.trunc(clock.getUTCMilliseconds() * scale), length);
}

function pad(number: number, length: number): string {
  const digits = String(Math.abs(number)).padStart(length, "0");
  return number < 0 ? `-${digits}` : digits;
}

/** Year 0 is 1 BC. */
function yearOfEra(signedYear: number): number {
  return signedYear > 0 ? signedYear : 1 - signedYear;
}

/** Days since 1970. */
function dayNumber({ clock }: Reading): number {
  return Math.floor(clock.getTime() / DAY_MS);
}

function januaryDay(ofYear: number, day: number): number {
  return new Date(0).setUTCFullYear(ofYear, 0, day) / DAY_MS;
}

function dayOfYear(at: Reading): number {
  return dayNumber(at) - januaryDay(year(at), 1) + 1;
}

type WeekRules = Pick<DateLocale, "weekStartsOn" | "firstWeekContains">;
const ISO_WEEKS: WeekRules = { weekStartsOn: 1, firstWeekContains: 4 };

/** 1 for the day on which weeks begin. */
function localWeekday(at: Reading, { weekStartsOn }: WeekRules): number {
  return ((weekday(at) - weekStartsOn + 7) % 7) + 1;
}

function getWeek(
  at: Reading,
  rules: WeekRules,
): { readonly year: number; readonly week: number } {
  const day = dayNumber(at);
  let ofYear = year(at) + 1; // whose first week may begin in December
  while (firstWeekStart(ofYear, rules) > day) ofYear -= 1;
  const days = day - firstWeekStart(ofYear, rules);
  return { year: ofYear, week: Math.floor(days / 7) + 1 };
}

function firstWeekStart(
  ofYear: number,
  { weekStartsOn, firstWeekContains }: WeekRules,
): number {
  const day = januaryDay(ofYear, firstWeekContains);
  const sinceStart = (day + 4 - weekStartsOn) % 7; // 1970 began on a Thursday
  return day - ((sinceStart + 7) % 7);
}

type PrintZone = (offset: number, length: number) => string;

const ZONES: Readonly<Record<string, PrintZone>> = {
  X: (offset, length) => (offset === 0 ? "Z" : isoOffset(offset, length)),
  x: isoOffset,
  O: gmtOffset,
  z: gmtOffset,
};

/** +05, +0530 or +05:30 */
function isoOffset(offset: number, length: number): string {
  const [hours, minutes] = hoursAndMinutes(offset);
  if (length === 1 && minutes === 0) return formatSign(offset) + pad(hours, 2);
  const colon = length === 3 || length > 4 ? ":" : "";
  return formatSign(offset) + pad(hours, 2) + colon + pad(minutes, 2);
}

/** GMT+5:30 or GMT+05:30 */
function gmtOffset(offset: number, length: number): string {
  if (length > 3) return `GMT${isoOffset(offset, 3)}`;
  const [hours, minutes] = hoursAndMinutes(offset);
  const rest = minutes === 0 ? "" : `:${pad(minutes, 2)}`;
  return `GMT${formatSign(offset)}${hours}${rest}`;
}

function formatSign(offset: number): string {
  return offset < 0 ? "-" : "+";
}

function hoursAndMinutes(offset: number): [number, number] {
  const minutes = Math.abs(offset);
  return [Math.floor(minutes / 60), minutes % 60];
}

/** What an ordinal counts: in some languages the third day ends in another way than the third week. */
type OrdinalUnit =
  | "year"
  | "quarter"
  | "month"
  | "week"
  | "date"
  | "dayOfYear"
  | "day"
  | "hour"
  | "minute"
  | "second";

/** `#` is the number. Where the form depends on it: by the number itself, or by Intl's plural category. */
type OrdinalForms = string | Readonly<Record<string, string>>;

/**
 * What Intl does not know about a locale; lists are separated by `|`. A script or a region has only what differs
 * from its language. `scripts/date-words.mjs` writes the values from date-fns 4.4.0 (MIT License, (c) 2021 Sasha Koss
 * and Lesha Koss).
 */
interface DateWords {
  /** The day on which weeks begin, 0 for Sunday, and the day of January that is always in week 1: "1 4". */
  readonly week: string;
  /** The patterns of P, PP, PPP and PPPP. */
  readonly dates: string;
  /** The patterns of p, pp, ppp and pppp. */
  readonly times: string;
  /** How a time follows a date: one for each of P to PPPP, or one for the short two and one for the long two. */
  readonly joins: string;
  readonly ordinal: OrdinalForms;
  /** For units that differ: `"hour minute": "#-я"`. */
  readonly ordinals?: Readonly<Record<string, OrdinalForms>>;
  /** The locale whose plural categories count, where Intl has none for this one. */
  readonly rules?: string;
  /** Beside the name of a month only the first day is an ordinal: "1er mars", "2 mars". */
  readonly plainDay?: boolean;
  /** By token: what Intl has no names for, or not in the form that the token asks for. */
  readonly names: Readonly<Record<string, string>>;
}

type Words = Readonly<Record<string, Partial<DateWords>>> & {
  readonly en: DateWords;
};

/** A token without names of its own has those of another one. */
const SAME_NAMES: Readonly<Record<string, string>> = {
  qqq: "QQQ",
  qqqq: "QQQQ",
  qqqqq: "QQQQQ",
  cccccc: "EEEEEE",
  BBBB: "BBB",
  BBBBB: "BBB",
};

const MONTHS = Array.from({ length: 12 }, (_, index) =>
  Date.UTC(2024, index, 15),
);
const WEEKDAYS = Array.from({ length: 7 }, (_, day) =>
  Date.UTC(2024, 8, 1 + day),
);
const ERAS = [Date.UTC(-1, 0), Date.UTC(2000, 0)];

const ZERO = "0".charCodeAt(0);

const allWords: Words = dateWords;
const locales = new LRUCache<string, DateLocale>({ max: 100 });

/** Languages without words are written as American English. */
function findDateLocale(tag: string): DateLocale {
  const cached = locales.get(tag);
  if (cached) return cached;
  const locale = new DateLocale(safeLocale(tag));
  locales.set(tag, locale);
  return locale;
}

/** Calendars with the months and days of the Gregorian one: their years are others, or begin an era. */
const GREGORIAN_MONTHS = ["gregory", "iso8601", "buddhist", "japanese", "roc"];
/** Calendars whose years have names and whose months may be doubled. */
const CYCLIC = ["chinese", "dangi"];

class DateLocale {
  readonly weekStartsOn: number;
  readonly firstWeekContains: number;
  readonly hasPlainDays: boolean;
  readonly #tag: string;
  readonly #words: DateWords;
  readonly #names = new Map<string, readonly string[]>();
  readonly #digits: readonly string[] | null;
  readonly #calendar: string;

  constructor(tag: string) {
    const localeWords = findWords(tag);
    const words = localeWords ?? allWords.en;
    const [weekStartsOn = 0, firstWeekContains = 1] = words.week
      .split(" ")
      .map(Number);
    this.weekStartsOn = weekStartsOn;
    this.firstWeekContains = firstWeekContains;
    this.hasPlainDays = words.plainDay ?? false;
    this.#words = words;
    this.#tag = localeWords ? tag : "en";
    this.#digits = findDigits(tag);
    this.#calendar = getCalendar(tag);
  }

  /** Whether the calendar of the locale has another field for the letter of a token than the Gregorian one. */
  hasOtherField(letter: string): boolean {
    if (this.#calendar === "gregory" || this.#calendar === "iso8601")
      return false;
    const isSolar = GREGORIAN_MONTHS.includes(this.#calendar);
    return (isSolar ? "yYuG" : "yYuGMLdDQqw").includes(letter);
  }

  /** Null for what the calendar does not count: weeks, quarters, and the numbers of years or months that have names. */
  compileOtherField(token: string): Print | null {
    const letter = token.charAt(0);
    const isOrdinal = /.o$/.test(token);
    const isCyclic = CYCLIC.includes(this.#calendar);
    if ("yMLG".includes(letter) ? isCyclic : letter !== "d") return null;
    if (letter === "G" || ("ML".includes(letter) && token.length > 2))
      return this.#otherName(letter, token.length);
    const field = letter === "y" ? "year" : letter === "d" ? "day" : "month";
    if (field === "month" && this.#calendar === "hebrew") return null;
    const numbers = this.#format("en", {
      year: "numeric",
      month: "numeric",
      day: "numeric",
    });
    const ordinal = this.ordinal(field === "day" ? "date" : field);
    return ({ clock }) => {
      const number = Number(readPart(numbers, clock, field));
      if (isOrdinal) return ordinal(number);
      return token === "yy" ? pad(number % 100, 2) : pad(number, token.length);
    };
  }

  #otherName(letter: string, length: number): Print {
    const width = length < 4 ? "short" : length === 4 ? "long" : "narrow";
    if (letter === "G") {
      const eras = this.#format(this.#tag, { era: width, year: "numeric" });
      return ({ clock }) => readPart(eras, clock, "era");
    }
    const months = this.#format(
      this.#tag,
      letter === "M" ? { month: width, day: "numeric" } : { month: width },
    );
    return ({ clock }) => readPart(months, clock, "month");
  }

  #format(
    tag: string,
    options: Intl.DateTimeFormatOptions,
  ): Intl.DateTimeFormat {
    return new Intl.DateTimeFormat([tag, "en-US"], {
      ...options,
      calendar: this.#calendar,
      numberingSystem: "latn",
      timeZone: "UTC",
    });
  }

  /** The pattern for which `PPP`, `p` or `PPpp` stands. */
  longPattern(token: string): string {
    const lastDate = Math.min(token.lastIndexOf("P"), 3);
    const timeLength = token.length - 1 - token.lastIndexOf("P");
    const [dates, times, joins] = [
      this.#words.dates,
      this.#words.times,
      this.#words.joins,
    ].map((list) => list.split("|"));
    const day = dates?.[lastDate] ?? "";
    const time = times?.[Math.min(timeLength, 4) - 1] ?? "";
    if (!day || !time) return day || time;
    const isShared = joins?.length === 2;
    const join = joins?.[isShared ? Math.floor(lastDate / 2) : lastDate] ?? "";
    return join.replace("{date}", () => day).replace("{time}", () => time);
  }

  /**
   * Of the weekdays from Sunday (EEE to EEEEEE, and ccc for them alone), the months (MMM, LLL), the quarters
   * (QQQ, qqq), both eras (GGG), or am, pm, midnight, noon, morning, afternoon, evening and night (BBB).
   */
  names(token: string): readonly string[] {
    const cached = this.#names.get(token);
    if (cached) return cached;
    const names = this.#listedNames(token) ?? this.#intlNames(token);
    this.#names.set(token, names);
    return names;
  }

  #listedNames(token: string): readonly string[] | undefined {
    const { names } = this.#words;
    const list = names[token] ?? names[SAME_NAMES[token] ?? ""];
    if (list !== undefined) return list.split("|");
    return /^Q{5}$/i.test(token) ? ["1", "2", "3", "4"] : undefined;
  }

  #intlNames(token: string): readonly string[] {
    const { length } = token;
    const width = length === 3 ? "short" : length === 4 ? "long" : "narrow";
    switch (token.charAt(0)) {
      case "M": {
        const names = this.#parts(MONTHS, "month", {
          month: width,
          day: "numeric",
        });
        // Dates in figures have no names: "2月15日", "15. 2."
        return names.some((name) => /^\d/.test(name))
          ? this.names("L".repeat(length))
          : names;
      }
      case "L":
        return this.#parts(MONTHS, null, { month: width });
      case "E":
        return this.#parts(WEEKDAYS, "weekday", {
          weekday: width,
          month: "long",
          day: "numeric",
        });
      case "c":
        return this.#parts(WEEKDAYS, null, { weekday: width });
      default:
        return this.#parts(ERAS, "era", { era: width, year: "numeric" });
    }
  }

  /** Of each date as Intl prints it: one part, or the whole. */
  #parts(
    times: readonly number[],
    type: Intl.DateTimeFormatPartTypes | null,
    options: Intl.DateTimeFormatOptions,
  ): readonly string[] {
    const format = new Intl.DateTimeFormat([this.#tag, "en-US"], {
      ...options,
      calendar: "gregory",
      numberingSystem: "latn",
      timeZone: "UTC",
    });
    return times.map((time) =>
      type
        ? (format.formatToParts(time).find((part) => part.type === type)
            ?.value ?? "")
        : format.format(time),
    );
  }

  /** Writes numbers as ordinals of the unit: 1st, 1er, 第1週. */
  ordinal(unit: OrdinalUnit): (number: number) => string {
    const { ordinal, ordinals = {}, rules } = this.#words;
    const [, forms = ordinal] =
      Object.entries(ordinals).find(([units]) =>
        units.split(" ").includes(unit),
      ) ?? [];
    if (typeof forms === "string")
      return (number) => forms.replace("#", String(number));
    const categories = pluralRulesFor(rules ?? this.#tag, "ordinal");
    return (number) => {
      const form =
        forms[number] ?? forms[categories.select(number)] ?? forms["other"];
      return (form ?? "#").replace("#", String(number));
    };
  }

  /** Replaces the digits 0 to 9 by the locale's own, where Intl has it print others. */
  localizeDigits(text: string): string {
    const digits = this.#digits;
    if (!digits) return text;
    let localized = "";
    for (const character of text)
      localized += digits[character.charCodeAt(0) - ZERO] ?? character;
    return localized;
  }
}

function readPart(
  format: Intl.DateTimeFormat,
  day: Date,
  type: Intl.DateTimeFormatPartTypes,
): string {
  const parts = format.formatToParts(day);
  return parts.find((part) => part.type === type)?.value ?? "";
}

/** Null for a language without words. */
function findWords(tag: string): DateWords | null {
  const { language, script, region } = new Intl.Locale(tag).maximize();
  if (!Object.hasOwn(allWords, language)) return null;
  const [general, ofScript, ofRegion] = [
    allWords[language],
    allWords[`${language}-${script}`],
    allWords[`${language}-${region}`],
  ];
  const names = { ...general?.names, ...ofScript?.names, ...ofRegion?.names };
  return { ...allWords.en, ...general, ...ofScript, ...ofRegion, names };
}

/** Null where the locale prints 0 to 9. */
function findDigits(tag: string): readonly string[] | null {
  const figures = numberFormatFor(tag, "digit", { useGrouping: false });
  const digits = Array.from({ length: 10 }, (_, digit) =>
    figures.format(digit),
  );
  return digits[0] === "0" ? null : digits;
}
