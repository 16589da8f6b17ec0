import type { MergeContext } from "../definition/expressions/index.js";
import type { ProjectData } from "../definition/schema/definition-schema.js";

/** How numbers, money and dates of a template are written. */
export function getLocale({
  locale = "en-US",
  currency = "USD",
  timeZone = "UTC",
}: ProjectData): Pick<MergeContext, "locale" | "currency" | "timeZone"> {
  return { locale, currency, timeZone };
}

const RIGHT_TO_LEFT = new Set(["Arab", "Hebr", "Thaa", "Nkoo", "Syrc", "Adlm"]);

export type Direction = "ltr" | "rtl";

/** The `lang` and `dir` of an element whose text is of that locale. */
export function languageAttributes(locale: string): string {
  return `lang="${locale}" dir="${textDirection(locale)}"`;
}

/** How text of a locale runs. */
export function textDirection(locale: string): Direction {
  const { script = "Latn" } = new Intl.Locale(locale).maximize();
  return RIGHT_TO_LEFT.has(script) ? "rtl" : "ltr";
}
