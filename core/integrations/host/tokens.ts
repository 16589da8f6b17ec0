import { createToken } from "../../lib/tokens.js";
import type {
  DeliveryHost,
  EsignHost,
  EsignWorkspaces,
  FoundPlugin,
  PlatformHost,
  PluginCalls,
  PluginCatalog,
  PluginProcesses,
  Plugins,
  RecordAudit,
} from "./index.js";

/** The plugins that ship with Platen. */
export const SHIPPED_PLUGINS =
  createToken<readonly FoundPlugin[]>("shipped plugins");
/** Implemented by accounts, which this capability may not import. */
export const RECORD_AUDIT = createToken<RecordAudit>("recordAudit");
export const PLUGINS = createToken<Plugins>("Plugins");
export const PLUGIN_CATALOG = createToken<PluginCatalog>("PluginCatalog");
export const PLUGIN_PROCESSES = createToken<PluginProcesses>("PluginProcesses");
export const PLUGIN_CALLS = createToken<PluginCalls>("PluginCalls");
export const PLATFORMS = createToken<PlatformHost>("PlatformHost");
export const DELIVERY_METHODS = createToken<DeliveryHost>("DeliveryHost");
export const ESIGN_PROVIDERS = createToken<EsignHost>("EsignHost");
export const ESIGN_WORKSPACES = createToken<EsignWorkspaces>("EsignWorkspaces");
