import type { SettingsTranslations } from "../../core/plugin-api/index.js";

type Language = keyof SettingsTranslations;

/** The title of a setting, with its description if it has one, by language and by the name of the setting. */
export type SettingTexts = Readonly<
  Record<
    Language,
    Readonly<
      Record<string, string | readonly [title: string, description: string]>
    >
  >
>;

/** @param titles of the plugin, where it has another one than in English */
export function translateSettings(
  texts: SettingTexts,
  titles: Partial<Record<Language, string>> = {},
): SettingsTranslations {
  const translate = (language: Language) => {
    const title = titles[language];
    const properties = Object.entries(texts[language]).map(([name, text]) => {
      const [label, description] =
        typeof text === "string" ? ([text, undefined] as const) : text;
      const setting = {
        title: label,
        ...(description !== undefined && { description }),
      };
      return [name, setting] as const;
    });
    return {
      ...(title !== undefined && { title }),
      properties: Object.fromEntries(properties),
    };
  };
  return { de: translate("de"), es: translate("es"), fr: translate("fr") };
}
