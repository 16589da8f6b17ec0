import { AttemptCounts } from "./attempt-counts.js";
import { CompletionGate } from "./completion-gate.js";
import { Deliverer } from "./deliverer.js";
import { EventDispatch } from "./event-dispatch.js";
import { EventRelay } from "./event-relay.js";
import type { EventPorts } from "./ports.js";
import { Replay } from "./replay.js";
import { WebhookDeliveries } from "./webhook-deliveries.js";
import { WebhookEndpoints } from "./webhook-endpoints.js";

/** The event room, joined. */
export interface Events {
  dispatch: EventDispatch;
  endpoints: WebhookEndpoints;
  deliveries: WebhookDeliveries;
}

export function createEvents(ports: EventPorts): Events {
  const { maxHoldMs } = ports.settings;
  const gate = new CompletionGate(ports);
  const counts = new AttemptCounts();
  const relay = new EventRelay({ ...ports, gate, maxHoldMs });
  const deliverer = new Deliverer({ ...ports, gate, counts });
  const replay = new Replay({ ...ports, gate, maxHoldMs });
  return {
    dispatch: new EventDispatch({ ...ports, relay, deliverer, gate, counts }),
    endpoints: new WebhookEndpoints(ports),
    deliveries: new WebhookDeliveries({ ...ports, deliverer, replay }),
  };
}
