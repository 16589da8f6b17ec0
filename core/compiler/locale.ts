import type { MergeContext } from "../definition/expressions/index.js";
import type { ProjectData } from "../definition/schema/definition-schema.js";

/** The locale, currency and time zone of a template, with defaults. */
export function getLocale({
  locale = "en-US",
  currency = "USD",
  timeZone = "UTC",
}: ProjectData): Pick<MergeContext, "locale" | "currency" | "timeZone"> {
  return { locale, currency, timeZone };
}

const RIGHT_TO_LEFT = new Set(["Arab", "Hebr", "Thaa", "Nkoo", "Syrc", "Adlm"]);

export type Direction = "ltr" | "rtl";

/** The `lang` and `dir` attributes for text in a locale. */
export function languageAttributes(locale: string): string {
  return `lang="${locale}" dir="${textDirection(locale)}"`;
}

/** The text direction of a locale. */
export function textDirection(locale: string): Direction {
  const { script = "Latn" } = new Intl.Locale(locale).maximize();
  return RIGHT_TO_LEFT.has(script) ? "rtl" : "ltr";
}
