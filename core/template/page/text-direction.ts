const RIGHT_TO_LEFT = new Set(["Arab", "Hebr", "Thaa", "Nkoo", "Syrc", "Adlm"]);

/** How text of a locale runs: for the `dir` of a document. */
export function textDirection(locale: string): "ltr" | "rtl" {
  const { script = "Latn" } = new Intl.Locale(locale).maximize();
  return RIGHT_TO_LEFT.has(script) ? "rtl" : "ltr";
}
