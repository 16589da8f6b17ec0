import type {
  OutboxEvent,
  WebhookDelivery,
  WebhookEndpoint,
} from "../storage/database/index.js";

/** A delivery with all that an attempt needs. */
export interface Parcel {
  delivery: WebhookDelivery;
  event: OutboxEvent;
  endpoint: WebhookEndpoint;
}
