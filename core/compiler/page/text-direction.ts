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
