import { createInstance, type TFunction } from "i18next";
import type { TranslatedLanguage } from "../../plugin-api/languages.js";
import { de } from "./de.js";
import { en } from "./en.js";
import { es } from "./es.js";
import { fr } from "./fr.js";

declare module "i18next" {
  // One property for each message catalog of the repository, because a program may contain several.
  interface MessageCatalogs {
    "run-page": typeof en;
  }
  interface CustomTypeOptions {
    resources: MessageCatalogs;
  }
}

const catalogs: Record<TranslatedLanguage | "en", Record<string, string>> = {
  // The first one is for those who accept any language.
  en,
  de,
  es,
  fr,
};

export const languages: readonly string[] = Object.keys(catalogs);

/** A message without placeholders. */
export type MessageKey = {
  [Key in keyof typeof en]: (typeof en)[Key] extends `${string}{{${string}`
    ? never
    : Key extends `${string}_${string}`
      ? never
      : Key;
}[keyof typeof en];

/** Returns a message of the pages behind links. Unknown keys and missing values are compile errors. */
export type Translate = TFunction<"run-page">;

const i18n = createInstance();
void i18n.init({
  fallbackLng: "en",
  ns: ["run-page"],
  defaultNS: "run-page",
  resources: Object.fromEntries(
    Object.entries(catalogs).map(([language, messages]) => [
      language,
      { "run-page": messages },
    ]),
  ),
  // The templates of the pages escape texts.
  interpolation: { escapeValue: false },
  initAsync: false,
});

export function getTranslate(language: string): Translate {
  return i18n.getFixedT(language, "run-page");
}
