// What happens to a batch's documents, told to whoever asked: event rows written in the transaction that changes a
// state, and signed webhooks made from them that are tried until they arrive. Who changes the states is not its matter.
export {
  createEvents,
  type Events,
  type EventSettings,
  type EventActor,
  type EventPorts,
  type WebhookNote,
} from "./create-events.js";
export type {
  DeliveryDetail,
  DeliveryView,
  WebhookDeliveries,
} from "./webhook-deliveries.js";
export type {
  EndpointInput,
  EndpointPatch,
  EndpointView,
  EndpointWithSecret,
  WebhookEndpoints,
} from "./webhook-endpoints.js";
export type { EventDispatch } from "./event-dispatch.js";
export { tellEventMetrics, type EventStats } from "./metrics.js";
export {
  type DocumentExpired,
  type DocumentFailed,
  type DocumentsCompleted,
  type DocumentSucceeded,
  EVENT_TYPES,
  type EventType,
  type ServiceEvent,
  type SignatureEvent,
  type EventNudge,
  recordEvent,
  recordEvents,
} from "./events.js";
export type { EndedStatus, ReplayRange } from "./replay.js";
