import type {
  EsignProvider,
  PlatformPlugin,
} from "../../core/plugin-api/index.js";
import { Plugins } from "../../core/integrations/host/index.js";
import { silentLog } from "./store-log.js";

/** These and no others, as if they shipped. */
export function installedPlugins(
  plugins: readonly (EsignProvider | PlatformPlugin)[],
): Plugins {
  return new Plugins({
    shipped: plugins.map((plugin) => ({
      kind: plugin.meta.kind,
      id: plugin.meta.id,
      title: plugin.meta.title,
      version: plugin.meta.version,
      source: "shipped",
      fault: null,
      load: async () => plugin,
    })),
    places: { names: [], folder: "/nowhere", roots: [] },
    platenVersion: "0.0.0",
    log: silentLog,
  });
}
