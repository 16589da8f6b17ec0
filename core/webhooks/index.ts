// Events and webhooks: events are rows written in the transaction that changes a state (outbox), and become signed webhook
// messages that are retried until they are delivered. Other capabilities decide when a state changes.
export { createEvents, type Events, EVENTS } from "./create-events.js";
export {
  DEFAULT_EVENT_TYPES,
  EVENT_TYPES,
  type EventWaker,
  outputSchema,
  recordEvent,
  recordEvents,
  type ServiceEvent,
  type EventSettings,
  webhookEventSchema,
} from "./events.js";
export { registerEventMetrics } from "./metrics.js";
export type {
  EndedStatus,
  DeliveryDetail,
  WebhookDeliveries,
} from "./webhook-deliveries.js";
export type {
  EndpointInput,
  EndpointView,
  EndpointWithSecret,
  WebhookEndpoints,
} from "./webhook-endpoints.js";
