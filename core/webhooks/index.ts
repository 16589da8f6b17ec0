// Events and webhooks: events are rows written in the transaction that changes a state (outbox), and become signed webhook
// messages that are retried until they are delivered. Other capabilities decide when a state changes.
export { createEvents, type Events, EVENTS } from "./create-events.js";
export {
  EVENT_TYPES,
  type EventWaker,
  recordEvent,
  recordEvents,
  type ServiceEvent,
  type EventSettings,
  webhookEventSchema,
} from "./events.js";
export { registerEventMetrics } from "./metrics.js";
export {
  type EndedStatus,
  type DeliveryDetail,
  type WebhookDeliveries,
  webhookDeliveryDetailSchema,
  webhookDeliverySchema,
} from "./webhook-deliveries.js";
export {
  type EndpointInput,
  type EndpointView,
  type EndpointWithSecret,
  type WebhookEndpoints,
  webhookSchema,
  webhookWithSecretSchema,
} from "./webhook-endpoints.js";
