// What happens to a batch's documents, told to whoever asked: event rows written in the transaction that changes a
// state, and signed webhooks made from them that are tried until they arrive. Who changes the states is not its matter.
export { createEvents, type Events } from "./create-events.js";
export type { DeliveryDetail, DeliveryView } from "./delivery-view.js";
export type { EndpointInput, EndpointPatch } from "./endpoint-input.js";
export type { EndpointView, EndpointWithSecret } from "./endpoint-view.js";
export type { EventDispatch } from "./event-dispatch.js";
export { tellEventMetrics } from "./event-metrics.js";
export type { EventSettings } from "./event-settings.js";
export type { EventStats } from "./event-stats.js";
export {
  type DocumentExpired,
  type DocumentFailed,
  type DocumentsCompleted,
  type DocumentSucceeded,
  EVENT_TYPES,
  type EventType,
  type ServiceEvent,
  type SignatureEvent,
} from "./events.js";
export type { EventNudge } from "./nudge.js";
export type { EventActor, EventPorts, WebhookNote } from "./ports.js";
export { recordEvent, recordEvents } from "./record-event.js";
export type { EndedStatus, ReplayRange } from "./replay.js";
export type { WebhookDeliveries } from "./webhook-deliveries.js";
export type { WebhookEndpoints } from "./webhook-endpoints.js";
