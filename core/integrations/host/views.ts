import type { PluginKind, SettingsSchema } from "../../plugin-api/plugin.js";

// What the studio shows of this capability: types and lists alone, since its pages import this file.

/** A platform or delivery method where a person's consent gives credentials. */
export interface AuthorizationOffer {
  kind: "platform" | "delivery";
  /** Of the plugin. */
  id: string;
  /** Names the account there, as in "Continue with Google". */
  title: string;
  /** The credentials that are entered before. */
  needs: readonly string[];
  /** The credentials that the consent gives. */
  grants: readonly string[];
}

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

export interface PluginInfo {
  /** null when the package cannot be read. */
  kind: PluginKind | null;
  id: string;
  title: string;
  version: string | null;
  /** `shipped`, the name of the package, or its folder. */
  source: string;
  /** Why it cannot be used and how to fix that; null when it works. */
  fault: string | null;
  abilities: readonly PluginAbility[];
  /** The JSON Schema of its connections, with secrets as `writeOnly`; null when it has no connections. */
  settings: SettingsSchema | null;
}
