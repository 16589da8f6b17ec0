import { LRUCache } from "lru-cache";
import {
  numberFormatFor,
  ordinalRulesFor,
  safeLocale,
} from "../values/locale.js";
import dateWords from "./date-words.json" with { type: "json" };

/** What an ordinal counts: in some languages the third day ends in another way than the third week. */
export type OrdinalUnit =
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
 * from its language. The values come from date-fns 4.4.0 (MIT License, (c) 2021 Sasha Koss and Lesha Koss), which
 * used to print dates here, so that stored templates go on printing the same.
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

const MONTHS = Array.from({ length: 12 }, (_, month) =>
  Date.UTC(2024, month, 15),
);
const WEEKDAYS = Array.from({ length: 7 }, (_, day) =>
  Date.UTC(2024, 8, 1 + day),
);
const ERAS = [Date.UTC(-1, 0), Date.UTC(2000, 0)];

const ZERO = "0".charCodeAt(0);

const allWords: Words = dateWords;
const locales = new LRUCache<string, DateLocale>({ max: 100 });

/** How the locale writes dates. Languages without words are written as American English. */
export function findDateLocale(tag: string): DateLocale {
  const known = locales.get(tag);
  if (known) return known;
  const locale = new DateLocale(safeLocale(tag));
  locales.set(tag, locale);
  return locale;
}

export class DateLocale {
  readonly weekStartsOn: number;
  readonly firstWeekContains: number;
  readonly hasPlainDays: boolean;
  readonly #tag: string;
  readonly #words: DateWords;
  readonly #names = new Map<string, readonly string[]>();
  readonly #digits: readonly string[] | null;

  constructor(tag: string) {
    const found = findWords(tag);
    const words = found ?? allWords.en;
    const [weekStartsOn = 0, firstWeekContains = 1] = words.week
      .split(" ")
      .map(Number);
    this.weekStartsOn = weekStartsOn;
    this.firstWeekContains = firstWeekContains;
    this.hasPlainDays = words.plainDay ?? false;
    this.#words = words;
    this.#tag = found ? tag : "en";
    this.#digits = findDigits(tag);
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
    const date = dates?.[lastDate] ?? "";
    const time = times?.[Math.min(timeLength, 4) - 1] ?? "";
    if (!date || !time) return date || time;
    const isShared = joins?.length === 2;
    const join = joins?.[isShared ? Math.floor(lastDate / 2) : lastDate] ?? "";
    return join.replace("{date}", () => date).replace("{time}", () => time);
  }

  /**
   * Of the weekdays from Sunday (EEE to EEEEEE, and ccc for them alone), the months (MMM, LLL), the quarters
   * (QQQ, qqq), both eras (GGG), or am, pm, midnight, noon, morning, afternoon, evening and night (BBB).
   */
  names(token: string): readonly string[] {
    const known = this.#names.get(token);
    if (known) return known;
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
    const categories = ordinalRulesFor(rules ?? this.#tag);
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
