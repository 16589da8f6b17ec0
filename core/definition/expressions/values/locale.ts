import { LRUCache } from "lru-cache";
import { isLocale } from "../../schema/known-values.js";

// Intl objects are slow to create and fast to use, so a bounded number is cached.

const FALLBACK = "en-US";
const collators = new LRUCache<string, Intl.Collator>({ max: 100 });
const ordinalRules = new LRUCache<string, Intl.PluralRules>({ max: 100 });
const numberFormats = new LRUCache<string, Intl.NumberFormat>({ max: 500 });
const dateFormats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

/** Returns the tag, or en-US when it is invalid. */
export function safeLocale(tag: string): string {
  return isLocale(tag) ? tag : FALLBACK;
}

export function collatorFor(locale: string): Intl.Collator {
  return kept(collators, locale, () => new Intl.Collator(safeLocale(locale)));
}

/** `name` identifies the options in the cache: equal names must mean equal options. */
export function numberFormatFor(
  locale: string,
  name: string,
  options: Intl.NumberFormatOptions,
): Intl.NumberFormat {
  return kept(
    numberFormats,
    `${locale} ${name}`,
    () => new Intl.NumberFormat(safeLocale(locale), options),
  );
}

export function ordinalRulesFor(locale: string): Intl.PluralRules {
  return kept(
    ordinalRules,
    locale,
    () => new Intl.PluralRules(safeLocale(locale), { type: "ordinal" }),
  );
}

export type DateStyle = NonNullable<Intl.DateTimeFormatOptions["dateStyle"]>;

export function dateFormatFor(
  locale: string,
  dateStyle: DateStyle,
  timeZone: string,
): Intl.DateTimeFormat {
  return kept(
    dateFormats,
    `${locale} ${dateStyle} ${timeZone}`,
    () => new Intl.DateTimeFormat(safeLocale(locale), { dateStyle, timeZone }),
  );
}

function kept<T extends object>(
  cache: LRUCache<string, T>,
  key: string,
  make: () => T,
): T {
  const known = cache.get(key);
  if (known) return known;
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
