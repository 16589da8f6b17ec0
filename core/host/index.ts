// The plugins that are installed, and the only way to call a platform: loaded after a look at their package.json, each
// call paced, timed, tried again where that is harmless, its result checked. What the rows mean is not its matter.
export type { CallLimits, CellScope, OpenPlatform } from "./open-platform.js";
export type { PlatformStatus } from "./platform-status.js";
export type { PluginStatus } from "./plugin-status.js";
