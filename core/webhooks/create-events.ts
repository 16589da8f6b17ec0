import { CompletionGate } from "./completion-gate.js";
import { Deliverer } from "./deliverer.js";
import { EventDispatcher } from "./event-dispatcher.js";
import type { EventPorts } from "./events.js";
import { WebhookDeliveries } from "./webhook-deliveries.js";
import { WebhookEndpoints } from "./webhook-endpoints.js";

/** The services of webhooks. */
export interface Events {
  dispatch: EventDispatcher;
  endpoints: WebhookEndpoints;
  deliveries: WebhookDeliveries;
}

export function createEvents(ports: EventPorts): Events {
  const gate = new CompletionGate(ports);
  const deliverer = new Deliverer(ports, gate);
  return {
    dispatch: new EventDispatcher(ports, deliverer, gate),
    endpoints: new WebhookEndpoints(ports),
    deliveries: new WebhookDeliveries(ports, deliverer, gate),
  };
}
