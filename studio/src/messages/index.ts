import { createInstance, type InterpolationMap, type ParseKeys } from "i18next";
import { languageNames } from "../../../core/plugin-api/languages.js";
import type { en } from "./en.js";

export type Language = keyof typeof languageNames;
export { languageNames };

type Messages = typeof en;

/** Each is loaded only for those who read it. */
const catalogs: Record<Language, () => Promise<object>> = {
  de: async () => (await import("./de.js")).de,
  en: async () => (await import("./en.js")).en,
  es: async () => (await import("./es.js")).es,
  fr: async () => (await import("./fr.js")).fr,
};

declare module "i18next" {
  // One property for each message catalog of the repository, because a program may contain several.
  interface MessageCatalogs {
    studio: Messages;
  }
  interface CustomTypeOptions {
    resources: MessageCatalogs;
  }
}

/** Where the choice is stored in this browser. */
const storageKey = "platen-language";

function isSupported(language: string): language is Language {
  return Object.hasOwn(languageNames, language);
}

/** Null for a locale of the operating system, such as "en-US@posix", which some browsers report. */
function getLanguage(tag: string): Language | null {
  try {
    const { language } = new Intl.Locale(tag);
    return isSupported(language) ? language : null;
  } catch {
    return null;
  }
}

/** The language that was chosen in this browser; null if none was. */
function getChosenLanguage(): Language | null {
  const stored = localStorage.getItem(storageKey);
  return stored !== null && isSupported(stored) ? stored : null;
}

/**
 * The first of the browser's locales in the chosen language or, without a choice, in any that the studio has. Dates,
 * numbers and sizes are formatted for it.
 */
export const locale = findLocale();

function findLocale(): string {
  // Tests import modules of the studio without a browser.
  if (!("location" in globalThis)) return "en";
  const chosen = getChosenLanguage();
  const isRead = (tag: string) => {
    const tagLanguage = getLanguage(tag);
    return tagLanguage !== null && (chosen === null || tagLanguage === chosen);
  };
  return navigator.languages.find(isRead) ?? chosen ?? "en";
}

/** The page must be loaded again, because many modules read texts at their start. */
export function storeLanguage(choice: string): void {
  localStorage.setItem(storageKey, choice);
}

// Modules that import this one wait for the catalog, so that nothing is painted in another language first. Those whose own
// language cannot be loaded get English.
const wanted = getLanguage(locale) ?? "en";
const catalog = await catalogs[wanted]().catch(() => null);

/** The language of all texts. */
export const language: Language = catalog ? wanted : "en";

const i18n = createInstance();
void i18n.init({
  lng: locale,
  fallbackLng: "en",
  ns: ["studio"],
  defaultNS: "studio",
  resources: { [language]: { studio: catalog ?? (await catalogs.en()) } },
  // Preact escapes texts.
  interpolation: { escapeValue: false },
  initAsync: false,
});

/** The area and name of a message, such as "editor.addComponent"; that of a plural has no suffix. */
export type MessageKey = ParseKeys<"studio">;

type MessageText<Key extends MessageKey> =
  Key extends `${infer Area extends keyof Messages}.${infer Name}`
    ? Messages[Area][(Name | `${Name}_other`) & keyof Messages[Area]]
    : never;

type PluralCount<Key extends MessageKey> =
  Key extends `${infer Area extends keyof Messages}.${infer Name}`
    ? `${Name}_other` extends keyof Messages[Area]
      ? { count: number }
      : object
    : never;

type MessageValues<Key extends MessageKey> = PluralCount<Key> &
  InterpolationMap<MessageText<Key>>;

/** The arguments after the key: the values of the placeholders, if the message has any. */
export type MessageArguments<Key extends MessageKey> =
  object extends MessageValues<Key> ? [] : [values: MessageValues<Key>];

/** Returns a message in the user's language. */
export function t<Key extends MessageKey>(
  key: Key,
  ...[values]: MessageArguments<Key>
): string {
  return translate(key, values);
}

// The library's own signature takes much longer to check, and the signature of `t` has checked the arguments.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const translate: (key: string, values?: object) => string = i18n.getFixedT(
  null,
  "studio",
) as never;
