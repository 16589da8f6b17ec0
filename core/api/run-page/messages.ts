import { createInstance, type TFunction } from "i18next";
import { en } from "./en.js";

declare module "i18next" {
  // One property for each message catalog of the repository, because a program may contain several.
  interface MessageCatalogs {
    "run-page": typeof en;
  }
  interface CustomTypeOptions {
    resources: MessageCatalogs;
  }
}

/** Texts of another language, with the keys of `en`. Texts that it lacks are shown in English. */
export type Translation = Record<string, string>;

/** The languages by language code; a further one is a file like `en.ts` and a line here. */
const translations: Record<string, Translation> = { en };

export const languages: readonly string[] = Object.keys(translations);

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
    Object.entries(translations).map(([language, messages]) => [
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
