// The plugins that are installed, and the only way to call a platform: loaded after a look at their package.json, each
// call paced, timed, tried again where that is harmless, its result checked. What the rows mean is not its matter.
export { callMetrics } from "./call/call-metrics.js";
export { connectPlatform } from "./connected-platform.js";
export type { PackagePlaces } from "./install/find-packages.js";
export type { FoundPlugin } from "./install/found-plugin.js";
export type { CallLimits, CellScope, OpenPlatform } from "./open-platform.js";
export { platformErrorOf } from "./platform-fault.js";
export { PlatformHost } from "./platform-host.js";
export { Lanes } from "./pace/lanes.js";
export type { PlatformStatus } from "./platform-status.js";
export type { PluginStatus } from "./plugin-status.js";
export { Plugins } from "./plugins.js";
export type { SettingsCheck } from "./settings-check.js";
