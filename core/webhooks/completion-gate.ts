import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type EntityManager, In, IsNull } from "typeorm";
import {
  type DeliveryNotes,
  type DeliveryStatus,
  findForUpdate,
  OutboxEvent,
  WebhookDelivery,
  WebhookEndpoint,
  getDatabaseTime,
} from "../storage/database/index.js";
import {
  DELIVERY_JOB,
  DOCUMENT_EVENTS,
  toDeliveryJob,
  type EventPorts,
} from "./events.js";

/** The most document ids that are listed beside the payload, since the message must stay small. */
const maxIds = 200;

interface GateKey {
  endpointId: string;
  batchId: string;
}

/**
 * Holds `documents.completed` back, for each endpoint and batch, until the deliveries of all documents to it have ended.
 * Call `release` after a commit, never inside the transaction that ends a delivery: two of these would not see each
 * other, and neither would release the message.
 */
export class CompletionGate {
  /** Calls for the same batch in one turn of the event loop are one. */
  readonly #requested = new Map<string, Promise<void>>();

  constructor(private readonly ports: Pick<EventPorts, "store" | "queue">) {}

  /** Sends the held message if its time has come. Otherwise this only reads. */
  release(key: GateKey): Promise<void> {
    const name = `${key.endpointId} ${key.batchId}`;
    const requested =
      this.#requested.get(name) ??
      yieldToEventLoop().then(() => {
        this.#requested.delete(name);
        return this.#releaseNow(key);
      });
    this.#requested.set(name, requested);
    return requested;
  }

  async #releaseNow(key: GateKey): Promise<void> {
    const { store, queue } = this.ports;
    const held = await store.read.findOneBy(WebhookDelivery, whereHeld(key));
    if (held === null || (await mustWait(store.read, held, key))) return;
    const isReleased = await store.unitOfWork.run((tx) => this.#send(tx, key));
    if (isReleased) queue.nudge(DELIVERY_JOB);
  }

  async #send(tx: EntityManager, key: GateKey): Promise<boolean> {
    const held = await findForUpdate(tx, WebhookDelivery, whereHeld(key));
    if (held === null || (await mustWait(tx, held, key))) return false;
    const now = await getDatabaseTime(tx);
    await tx.update(
      WebhookDelivery,
      { id: held.id },
      {
        status: "pending",
        nextAttemptAt: now,
        holdUntil: null,
        notes: await createNotes(tx, key),
        updatedAt: now,
      },
    );
    await this.ports.queue.enqueue(tx, [toDeliveryJob(held)]);
    return true;
  }
}

function whereHeld(key: GateKey) {
  return { ...key, status: "held" } as const;
}

async function mustWait(
  read: EntityManager,
  { holdUntil }: WebhookDelivery,
  key: GateKey,
): Promise<boolean> {
  if (!(await isWaiting(read, key))) return false;
  return holdUntil === null || holdUntil > (await getDatabaseTime(read));
}

/**
 * Whether deliveries of the batch's documents to the endpoint are in progress or not created yet. Events to which it does
 * not subscribe do not count, as no delivery of theirs would end and call `release`; nor do signatures, which take days.
 */
async function isWaiting(
  tx: EntityManager,
  { endpointId, batchId }: GateKey,
): Promise<boolean> {
  const endpoint = await tx.findOneBy(WebhookEndpoint, { id: endpointId });
  const types = DOCUMENT_EVENTS.filter((type) =>
    endpoint?.events.includes(type),
  );
  const notRelayed = { batchId, dispatchedAt: IsNull(), type: In(types) };
  // This query comes first: the next one sees the deliveries of all events that are relayed by now.
  if (await tx.existsBy(OutboxEvent, notRelayed)) return true;
  return tx.existsBy(WebhookDelivery, {
    endpointId,
    batchId,
    status: "pending",
    type: In(DOCUMENT_EVENTS),
  });
}

/** Lists the documents that the receiver was not notified of, and whether the hold ended before all deliveries had. */
async function createNotes(
  tx: EntityManager,
  key: GateKey,
): Promise<DeliveryNotes | null> {
  const exhausted = await findDocumentIds(tx, key, "exhausted");
  const pending = await findDocumentIds(tx, key, "pending");
  const truncated = [
    ...(exhausted.length > maxIds ? ["exhausted"] : []),
    ...(pending.length > maxIds ? ["pending"] : []),
  ];
  const notes = {
    ...(exhausted.length > 0 && { exhausted: exhausted.slice(0, maxIds) }),
    ...(pending.length > 0 && {
      holdEnded: true,
      pending: pending.slice(0, maxIds),
    }),
    ...(truncated.length > 0 && { truncated }),
  };
  return Object.keys(notes).length === 0 ? null : notes;
}

/** Up to one more than are listed, which shows that there are more. */
async function findDocumentIds(
  tx: EntityManager,
  key: GateKey,
  status: DeliveryStatus,
): Promise<string[]> {
  const rows = await tx.find(WebhookDelivery, {
    where: { ...key, status, type: In(DOCUMENT_EVENTS) },
    select: { documentId: true },
    order: { createdAt: "ASC", id: "ASC" },
    take: maxIds + 1,
  });
  return rows.flatMap(({ documentId }) => documentId ?? []);
}
