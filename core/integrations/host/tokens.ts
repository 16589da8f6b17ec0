import { createToken } from "../../lib/tokens.js";
import type {
  EsignHost,
  PlatformHost,
  PluginCallsParts,
  Plugins,
} from "./index.js";

export const PLUGINS = createToken<Plugins>("Plugins");
export const PLATFORMS = createToken<PlatformHost>("PlatformHost");
export const ESIGN_PROVIDERS = createToken<EsignHost>("EsignHost");
export const PLUGIN_CALLS = createToken<PluginCallsParts>("PluginCallsParts");
