import type {
  PlatformCapabilities,
  SettingsSchema,
} from "../contract/index.js";
import type { PluginStatus } from "./plugin-status.js";

/** An installed platform; of a broken one, what its plugin would have told is null. */
export interface PlatformStatus extends PluginStatus {
  kind: "platform";
  capabilities: PlatformCapabilities | null;
  /** What a connection's credentials must be: a JSON Schema (2020-12) whose secrets are `writeOnly`. */
  credentials: SettingsSchema | null;
}
