import type { SettingsSchema } from "../../plugin-api/index.js";
import type { CallableKind, CallablePlugins } from "./callable-plugins.js";
import type { PluginStatus } from "./plugin-status.js";

/** An installed plugin of one kind; of a broken one, what it would have told is null. */
export interface InstalledStatus<K extends CallableKind> extends PluginStatus {
  kind: K;
  capabilities: CallablePlugins[K]["capabilities"] | null;
  /** What a connection's credentials must be: a JSON Schema (2020-12) whose secrets are `writeOnly`. */
  credentials: SettingsSchema | null;
}

export type PlatformStatus = InstalledStatus<"platform">;
export type EsignStatus = InstalledStatus<"esign">;
