import { createToken, provide } from "../lib/injection.js";
import {
  CONFIG,
  LOG,
  METRICS,
  PACKAGE,
  SECRETS,
} from "../lib/process-values.js";
import { STORE } from "../storage/database/index.js";
import { QUEUE } from "../queue/index.js";
import { Outbound } from "../lib/outbound/index.js";
import { SecretBox } from "../lib/secrets.js";
import { CompletionGate } from "./completion-gate.js";
import { Deliverer } from "./deliverer.js";
import { EventDispatcher } from "./event-dispatcher.js";
import type { EventPorts } from "./events.js";
import { WebhookDeliveries } from "./webhook-deliveries.js";
import { WebhookEndpoints } from "./webhook-endpoints.js";
import { registerEventMetrics } from "./metrics.js";

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

const maxHoldMs = 24 * 60 * 60_000;
const concurrency = 64;

export const EVENTS = createToken<Events>("Events");
provide(EVENTS, (c) => {
  const events = createEvents({
    store: c.resolve(STORE),
    queue: c.resolve(QUEUE),
    outbound: c.resolve(Outbound),
    secrets: new SecretBox(c.resolve(SECRETS), "webhook secrets"),
    settings: { ...c.resolve(CONFIG).webhooks, maxHoldMs, concurrency },
    userAgent: `Platen/${c.resolve(PACKAGE).version}`,
    log: c.resolve(LOG),
  });
  registerEventMetrics(c.resolve(METRICS), events.dispatch);
  return events;
});
