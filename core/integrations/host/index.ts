// The installed plugins, and the only way to call a platform, an e-signature provider or a delivery method. A plugin is
// loaded after its package.json was checked, in a child process unless it ships with Platen; calls are rate limited, have
// a timeout, are repeated where that is safe, and their results are validated. Callers decide what rows and requests mean.
export type { ConnectedAuthorization } from "./connected-plugin.js";
export { ConnectedEsign } from "./connected-esign.js";
export { ConnectedDelivery } from "./connected-delivery.js";
export { type CellScope, ConnectedPlatform } from "./connected-platform.js";
export type { CallableKind, PluginStatus } from "./plugin-contract.js";
export { PluginCalls, type CallLimits } from "./plugin-calls.js";
export {
  isAmbiguous,
  findPlatformError,
  getRateLimitDelay,
  isRetryable,
} from "./platform-errors.js";
export {
  type ConnectedPlugins,
  DeliveryHost,
  type DeliveryStatus,
  EsignHost,
  type EsignStatus,
  PlatformHost,
  type PlatformStatus,
  type PluginHost,
} from "./plugin-hosts.js";
export { PluginCatalog, Plugins, SHIPPED_PLUGINS } from "./plugins.js";
export { CredentialsSchema } from "./credentials-schema.js";
export { HOST_TARGET_FIELDS } from "./plugin-contract.js";
export { type LimiterState, RequestLimiters } from "./request-limiter.js";
export { PluginProcesses } from "./plugin-processes.js";
export type { AuthorizationOffer } from "./views.js";
