import type { AppVisitor } from "./app-plugin.js";
import type { PluginKind, SettingsSchema } from "./plugin.js";

/** What a plugin may be able to do, beyond what all of its kind do. */
export type PluginAbility =
  | "linked-records"
  | "files-in-cells"
  | "links-in-cells"
  | "row-search"
  | "signing-order"
  | "prefilled-fields"
  | "cancelling"
  | "reminders"
  | "proven-notices";

/** An installed plugin. */
export interface PluginInfo {
  /** null, of one whose package cannot be read. */
  kind: PluginKind | null;
  id: string;
  title: string;
  version: string | null;
  /** `shipped`, or the package's name, or its folder. */
  source: string;
  /** Why it cannot be used, and how to mend it; null when it can. */
  fault: string | null;
  abilities: readonly PluginAbility[];
  /** What a connection to it asks for: a JSON Schema whose secrets are `writeOnly`; null for what takes none. */
  settings: SettingsSchema | null;
}

/** What is installed beside the service; the same for every organization. */
export interface AppPlugins {
  /** Those that ship first. */
  list(visitor: AppVisitor): Promise<PluginInfo[]>;
}
