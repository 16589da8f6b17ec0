/** The plural categories that `Intl.PluralRules` distinguishes in each language besides English. */
interface PluralCategories {
  de: "one" | "other";
  es: "one" | "many" | "other";
  fr: "one" | "many" | "other";
}

/** The code of a language besides English that has catalogs of messages. */
export type TranslatedLanguage = keyof PluralCategories;

/** What the language calls itself, for a list to choose from. */
export const languageNames: Readonly<
  Record<TranslatedLanguage | "en", string>
> = {
  de: "Deutsch",
  en: "English",
  es: "Español",
  fr: "Français",
};

/**
 * The messages of an English catalog in another language: the same keys, with a plural form for each category of that
 * language, and in each text the placeholders and tags of the English one.
 */
export type Translation<Texts, Language extends TranslatedLanguage> = {
  readonly [
    Key in keyof Texts as Key extends `${infer Name}_${"one" | "other"}`
      ? `${Name}_${PluralCategories[Language]}`
      : Key
  ]: Key extends `${string}_one` | `${string}_other`
    ? string
    : TranslatedText<Texts[Key]>;
};

/** Texts that contain everything that `Text` contains between braces or as a tag. */
type TranslatedText<Text> =
  Text extends `${string}{{${infer Value}}}${infer Rest}`
    ? TranslatedText<Rest> & `${string}{{${Value}}}${string}`
    : Text extends `${string}</${infer Tag}>${infer Rest}`
      ? TranslatedText<Rest> & `${string}<${Tag}>${string}</${Tag}>${string}`
      : string;

/** Formats a file's size for people, such as "1 byte", "224 bytes", "84 kB" or, in German, "1,2 MB". */
export function formatSize(bytes: number, locale: string): string {
  // The short form of bytes is "byte", also of several.
  if (bytes < 1000)
    return formatUnit(bytes, "byte", locale, { unitDisplay: "long" });
  return bytes < 999_500
    ? formatUnit(bytes / 1000, "kilobyte", locale)
    : formatUnit(bytes / 1_000_000, "megabyte", locale, {
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
      });
}

/** Formats a value with its unit, such as "12 sec". The unit is one that `Intl.NumberFormat` knows. */
export function formatUnit(
  value: number,
  unit: string,
  locale: string,
  options: Intl.NumberFormatOptions = {},
): string {
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    maximumFractionDigits: 0,
    ...options,
  }).format(value);
}
