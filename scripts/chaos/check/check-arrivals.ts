import {
  Document,
  WebhookDelivery,
} from "../../../core/storage/database/index.js";
import type { Arrival, EndpointName } from "../moody-receiver.js";
import { countEach, type Evidence, type Loss } from "./evidence.js";

/**
 * What an endpoint was told by its own account: all that counts as delivered, and the end of each batch under one id,
 * after the ends of all its documents.
 */
export async function checkArrivals(evidence: Evidence): Promise<Loss[]> {
  const documents = await evidence.store.read.find(Document, {
    select: { id: true, batchId: true },
  });
  const all = await Promise.all(
    (["steady", "moody"] as const).map(async (name) => [
      ...(await notArrived(evidence, name)),
      ...moreThanOne(evidence, name),
      ...(await tooEarly(evidence, name, documents)),
    ]),
  );
  return all.flat();
}

async function notArrived(
  { store, arrivals, endpoints, accepted }: Evidence,
  name: EndpointName,
): Promise<Loss[]> {
  const own = arrivals.filter(({ endpoint }) => endpoint === name);
  const taken = new Set(own.filter((one) => one.isTaken).map(({ id }) => id));
  const delivered = await store.read.findBy(WebhookDelivery, {
    endpointId: endpoints[name],
    status: "delivered",
  });
  const ended = new Set(endsOfBatches(own).map(({ batchId }) => batchId));
  return [
    ...delivered
      .filter(({ id }) => !taken.has(id))
      .map(({ id }) => ({ kind: "message lost", what: `${id} at ${name}` })),
    ...accepted
      .filter(({ batchId }) => !ended.has(batchId))
      .map(({ batchId }) => ({
        kind: "end of batch lost",
        what: `${batchId} at ${name}`,
      })),
  ];
}

/** Under several ids: the same one again is no other message. */
function moreThanOne({ arrivals }: Evidence, name: EndpointName): Loss[] {
  const ends = endsOfBatches(arrivals.filter((one) => one.endpoint === name));
  const pairs = new Set(ends.map(({ batchId, id }) => `${batchId} ${id}`));
  const counts = countEach([...pairs].map((pair) => pair.split(" ")[0] ?? ""));
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([batchId, count]) => ({
      kind: "end of batch repeated",
      what: `${batchId} at ${name}: ${count} ids`,
    }));
}

/** What was given up after all its attempts need not have arrived. */
async function tooEarly(
  { store, arrivals, endpoints }: Evidence,
  name: EndpointName,
  documents: readonly Pick<Document, "id" | "batchId">[],
): Promise<Loss[]> {
  const givenUp = await store.read.findBy(WebhookDelivery, {
    endpointId: endpoints[name],
    status: "exhausted",
  });
  const excused = new Set(givenUp.map(({ documentId }) => documentId));
  const own = arrivals.filter(({ endpoint }) => endpoint === name);
  const taken = own.map((one) => (one.isTaken ? one.documentId : null));
  const told = firstPlaces(taken);
  const ends = firstPlaces(
    own.map((one) => (isEndOfBatch(one) ? one.batchId : null)),
  );
  return documents
    .filter(({ id }) => !excused.has(id))
    .filter(({ id, batchId }) => {
      const end = ends.get(batchId ?? "") ?? Infinity;
      return (told.get(id) ?? end + 1) > end;
    })
    .map(({ id }) => ({
      kind: "end of batch early",
      what: `${id} at ${name}`,
    }));
}

function endsOfBatches(arrivals: readonly Arrival[]): Arrival[] {
  return arrivals.filter(isEndOfBatch);
}

function isEndOfBatch({ type }: Arrival): boolean {
  return type === "documents.completed";
}

/** Where in the list each value stands first. */
function firstPlaces(list: readonly (string | null)[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, value] of list.entries())
    if (value !== null && !places.has(value)) places.set(value, place);
  return places;
}
