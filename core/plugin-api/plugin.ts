/** The version of this contract. A plugin names the one that it was written for; another is refused before it runs. */
export const PLUGIN_API = 1;

export const PLUGIN_KINDS = ["platform", "file-store", "esign", "app"] as const;
export type PluginKind = (typeof PLUGIN_KINDS)[number];

/**
 * What a plugin says of itself. An installed package says it in its package.json, under `platen`, where it is read
 * before any of the plugin's code runs.
 */
export interface PluginMeta {
  kind: PluginKind;
  /** Lower case, digits and `-`; also the `:platform` of the REST path. */
  id: string;
  title: string;
  version: string;
  /** `PLUGIN_API` of the contract that it was written for. */
  api: number;
  /** The versions of Platen that it runs with, as a semver range. */
  platen: string;
}

/** A JSON Schema (2020-12) of an object; its secret properties are `writeOnly`. */
export type SettingsSchema = Readonly<Record<string, unknown>>;
