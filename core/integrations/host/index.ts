// The plugins that are installed, and the only way to call a platform or an e-signature provider: loaded after a look at
// their package.json, each call paced, timed, tried again where that is harmless, its result checked. What the rows and
// the requests mean is not its matter.
export type { CallLimits } from "./call-limits.js";
export { callMetrics } from "./call/call-metrics.js";
export type { PluginCallsParts } from "./call/plugin-calls.js";
export { connectPlatform } from "./connected-platform.js";
export { connectEsign } from "./esign/connected-esign.js";
export { EsignPlaces } from "./esign/esign-places.js";
export { isAmbiguous } from "./esign/is-ambiguous.js";
export type { OpenEsign } from "./esign/open-esign.js";
export { EsignHost } from "./esign-host.js";
export type { EsignStatus, PlatformStatus } from "./installed-status.js";
export type { PackagePlaces } from "./install/find-packages.js";
export type { FoundPlugin } from "./install/found-plugin.js";
export type { CellScope, OpenPlatform } from "./open-platform.js";
export { platformErrorOf } from "./platform-fault.js";
export { PluginCatalog } from "./plugin-catalog.js";
export { PlatformHost } from "./platform-host.js";
export { Lanes } from "./pace/lanes.js";
export type { PluginStatus } from "./plugin-status.js";
export { Plugins } from "./plugins.js";
export type { SettingsCheck } from "./settings-check.js";
