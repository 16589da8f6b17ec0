import { setImmediate as turn } from "node:timers/promises";
import { type EntityManager, In, IsNull } from "typeorm";
import type { Queue } from "../queue/index.js";
import {
  type DeliveryNotes,
  type DeliveryStatus,
  findForUpdate,
  OutboxEvent,
  type Store,
  WebhookDelivery,
  WebhookEndpoint,
  databaseNow,
} from "../storage/database/index.js";
import { DELIVERY_JOB, deliveryJob } from "./event-relay.js";
import { DOCUMENT_EVENTS } from "./events.js";

/** So many ids are listed beside the payload; the message must stay small. */
const mostIds = 200;

/** One batch as one endpoint hears of it. */
export interface GateKey {
  endpointId: string;
  batchId: string;
}

interface Ports {
  store: Pick<Store, "read" | "unitOfWork">;
  queue: Pick<Queue, "enqueue" | "nudge">;
}

/**
 * Holds `documents.completed` back, for each endpoint and batch, until every document's delivery there has ended. To
 * be asked after a commit, never inside the transaction that ends a delivery: two of these would not see each other,
 * and neither would open the gate.
 */
export class CompletionGate {
  /** Those who ask of one batch in one turn of the event loop ask once. */
  readonly #asked = new Map<string, Promise<void>>();

  constructor(private readonly ports: Ports) {}

  /** Lets the held message go if it is time. While it is not, this only reads. */
  release(key: GateKey): Promise<void> {
    const name = `${key.endpointId} ${key.batchId}`;
    const asked = this.#asked.get(name) ?? this.soon(name, key);
    this.#asked.set(name, asked);
    return asked;
  }

  private async soon(name: string, key: GateKey): Promise<void> {
    await turn();
    this.#asked.delete(name);
    await this.ask(key);
  }

  private async ask(key: GateKey): Promise<void> {
    const { store, queue } = this.ports;
    const held = await store.read.findOneBy(WebhookDelivery, heldOf(key));
    if (held === null || (await mustWait(store.read, held, key))) return;
    const isOpen = await store.unitOfWork.run((tx) => this.open(tx, key));
    if (isOpen) queue.nudge(DELIVERY_JOB);
  }

  private async open(tx: EntityManager, key: GateKey): Promise<boolean> {
    const held = await findForUpdate(tx, WebhookDelivery, heldOf(key));
    if (held === null || (await mustWait(tx, held, key))) return false;
    const now = await databaseNow(tx);
    await tx.update(
      WebhookDelivery,
      { id: held.id },
      {
        status: "pending",
        nextAttemptAt: now,
        holdUntil: null,
        notes: await notesOf(tx, key),
        updatedAt: now,
      },
    );
    await this.ports.queue.enqueue(tx, [deliveryJob(held)]);
    return true;
  }
}

function heldOf(key: GateKey) {
  return { ...key, status: "held" } as const;
}

async function mustWait(
  read: EntityManager,
  { holdUntil }: WebhookDelivery,
  key: GateKey,
): Promise<boolean> {
  if (!(await isWaiting(read, key))) return false;
  return holdUntil === null || holdUntil > (await databaseNow(read));
}

/**
 * Whether documents of the batch are still on their way to the endpoint, or their deliveries not even made. Events
 * that it is not told of are not waited for: no delivery would end and ask again; nor are signatures, which take days.
 */
async function isWaiting(
  tx: EntityManager,
  { endpointId, batchId }: GateKey,
): Promise<boolean> {
  const endpoint = await tx.findOneBy(WebhookEndpoint, { id: endpointId });
  const types = DOCUMENT_EVENTS.filter((type) =>
    endpoint?.events.includes(type),
  );
  const unrelayed = { batchId, dispatchedAt: IsNull(), type: In(types) };
  // First: what is relayed by now has a delivery that the next statement sees, whenever it comes.
  if (await tx.existsBy(OutboxEvent, unrelayed)) return true;
  return tx.existsBy(WebhookDelivery, {
    endpointId,
    batchId,
    status: "pending",
    type: In(DOCUMENT_EVENTS),
  });
}

/** Which documents the receiver was not told of, and that the wait was ended before their time. */
async function notesOf(
  tx: EntityManager,
  key: GateKey,
): Promise<DeliveryNotes | null> {
  const exhausted = await documentsOf(tx, key, "exhausted");
  const pending = await documentsOf(tx, key, "pending");
  const truncated = [
    ...(exhausted.length > mostIds ? ["exhausted"] : []),
    ...(pending.length > mostIds ? ["pending"] : []),
  ];
  const notes = {
    ...(exhausted.length > 0 && { exhausted: exhausted.slice(0, mostIds) }),
    ...(pending.length > 0 && {
      holdEnded: true,
      pending: pending.slice(0, mostIds),
    }),
    ...(truncated.length > 0 && { truncated }),
  };
  return Object.keys(notes).length === 0 ? null : notes;
}

/** One more than are listed tells that there are more. */
async function documentsOf(
  tx: EntityManager,
  key: GateKey,
  status: DeliveryStatus,
): Promise<string[]> {
  const rows = await tx.find(WebhookDelivery, {
    where: { ...key, status, type: In(DOCUMENT_EVENTS) },
    select: { documentId: true },
    order: { createdAt: "ASC", id: "ASC" },
    take: mostIds + 1,
  });
  return rows.flatMap(({ documentId }) => documentId ?? []);
}
