import {
  OutboxEvent,
  WebhookDelivery,
} from "../../../core/storage/database/index.js";
import { ENDPOINTS, type EndpointName } from "../moody-receiver.js";
import { countEach, type Evidence, type Loss } from "./evidence.js";

/** Every event is on its way to every endpoint once, and no way is without an end. */
export async function checkDeliveries(evidence: Evidence): Promise<Loss[]> {
  const { read } = evidence.store;
  const deliveries = await read.find(WebhookDelivery);
  const events = await read.find(OutboxEvent);
  return [
    ...unended(deliveries),
    ...events
      .filter(({ dispatchedAt }) => dispatchedAt === null)
      .map((event) => ({ kind: "event not dispatched", what: nameOf(event) })),
    ...ENDPOINTS.flatMap((name) =>
      notMadeOnce(evidence, name, { deliveries, events }),
    ),
  ];
}

function unended(deliveries: readonly WebhookDelivery[]): Loss[] {
  return deliveries
    .filter(({ status }) => status === "pending" || status === "held")
    .map((delivery) => ({
      kind: "delivery not ended",
      what: `${nameOf(delivery)} is ${delivery.status}`,
    }));
}

function notMadeOnce(
  { endpoints }: Evidence,
  name: EndpointName,
  rows: { deliveries: WebhookDelivery[]; events: OutboxEvent[] },
): Loss[] {
  const endpointId = endpoints[name];
  const own = rows.deliveries.filter((one) => one.endpointId === endpointId);
  const counts = countEach(own.map(({ eventId }) => eventId));
  return rows.events.flatMap((event) => {
    const count = counts.get(event.id) ?? 0;
    const what = `${nameOf(event)} at ${name}: ${count} times`;
    return count === 1 ? [] : [{ kind: "event not delivered once", what }];
  });
}

function nameOf({ id, type }: OutboxEvent | WebhookDelivery): string {
  return `${type} ${id}`;
}
