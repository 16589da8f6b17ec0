import { createInstance, type InterpolationMap, type ParseKeys } from "i18next";
import { en } from "./en/index.js";

type Messages = typeof en;

/** Texts of another language, with the areas and keys of `en`. Texts that it lacks are shown in English. */
export type Translation = {
  [Area in keyof Messages]?: Record<string, string>;
};

/**
 * The languages besides English, by language code, such as `de: async () => (await import("./de.js")).de`. Each is
 * loaded only for those who use it.
 */
const translations: Record<string, () => Promise<Translation>> = {};

declare module "i18next" {
  // One property for each message catalog of the repository, because a program may contain several.
  interface MessageCatalogs {
    studio: Messages;
  }
  interface CustomTypeOptions {
    resources: MessageCatalogs;
  }
}

function getLanguage(tag: string): string {
  return tag.split("-")[0] ?? tag;
}

function isSupported(tag: string): boolean {
  const language = getLanguage(tag);
  return (
    isValid(tag) && (language === "en" || Object.hasOwn(translations, language))
  );
}

/** False for a locale of the operating system, such as "en-US@posix", which some browsers report. */
function isValid(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** The first of the browser's locales whose language the studio has. Dates and numbers are formatted for it. */
export const locale = navigator.languages.find(isSupported) ?? "en";

const i18n = createInstance();
void i18n.init({
  lng: locale,
  fallbackLng: "en",
  ns: ["studio"],
  defaultNS: "studio",
  resources: { en: { studio: en } },
  // Preact escapes texts.
  interpolation: { escapeValue: false },
  initAsync: false,
});
// English is part of the bundle, so that the first paint waits for no request.
const translation = await translations[getLanguage(locale)]?.();
if (translation)
  i18n.addResourceBundle(getLanguage(locale), "studio", translation);

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
