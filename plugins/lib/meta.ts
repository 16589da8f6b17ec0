import {
  PLUGIN_API,
  type PluginKind,
  type PluginMeta,
} from "../../core/plugin-api/index.js";

/** What a plugin that ships with Platen says of itself. */
export function createMeta<K extends PluginKind>(
  kind: K,
  id: string,
  title: string,
): PluginMeta & { kind: K } {
  return { kind, id, title, version: "1.0.0", api: PLUGIN_API, platen: "*" };
}
