import {
  NO_TRANSLATIONS,
  type SharedLanguage,
  Translations,
} from "./expressions/index.js";
import type { ProjectData } from "./schema/definition-schema.js";
import { isKnownLocale } from "./schema/primitives.js";

type Languages = Pick<ProjectData, "locale" | "translations">;

export function isLocaleFromRecord({ locale }: Languages): boolean {
  return locale?.includes("{{") ?? false;
}

/**
 * The locale of documents for which neither the request nor the record names one: that of the definition, or, if it
 * takes the locale from the record, the first one of its translations.
 */
export function getDefaultLocale(definition: Languages): string {
  const { locale, translations = {} } = definition;
  if (locale !== undefined && !isLocaleFromRecord(definition)) return locale;
  const [first] = Object.keys(translations);
  return first !== undefined && isKnownLocale(first) ? first : "en-US";
}

export function getTranslations(definition: Languages): Translations {
  const { translations } = definition;
  if (!translations) return NO_TRANSLATIONS;
  return new Translations(translations, getDefaultLocale(definition));
}

export function getSharedLanguage(definition: Languages): SharedLanguage {
  const translations = getTranslations(definition);
  if (isLocaleFromRecord(definition)) return { translations };
  return { translations, locale: getDefaultLocale(definition) };
}
