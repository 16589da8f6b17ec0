import type { TranslatedLanguage } from "./languages.js";

/** The version of this contract. A plugin that was written for another version is rejected before it runs. */
export const PLUGIN_API = 1;

export const PLUGIN_KINDS = [
  "platform",
  "file-store",
  "esign",
  "delivery",
] as const;
export type PluginKind = (typeof PLUGIN_KINDS)[number];

/**
 * Describes a plugin. An installed package declares it in its package.json under `platen`, where it is read before any
 * code of the plugin runs.
 */
export interface PluginMeta {
  kind: PluginKind;
  /** Lower-case letters, digits and `-`; also the `:platform` in paths of the REST API. */
  id: string;
  title: string;
  version: string;
  /** The `PLUGIN_API` that it was written for. */
  api: number;
  /** The supported versions of Platen, as a semver range. */
  platen: string;
}

/** A JSON Schema (2020-12) of an object; secret properties are `writeOnly`. */
export type SettingsSchema = Readonly<Record<string, unknown>> & {
  readonly translations?: SettingsTranslations;
};

/** The texts of a plugin in languages besides English, which is shown for what they leave out. */
export type SettingsTranslations = Readonly<
  Partial<Record<TranslatedLanguage, SettingsTranslation>>
>;

/** The texts of a plugin in one language. */
export interface SettingsTranslation {
  /** The plugin's title. */
  readonly title?: string;
  /** The titles and descriptions of settings, by their names. */
  readonly properties?: Readonly<
    Record<string, { readonly title?: string; readonly description?: string }>
  >;
}
