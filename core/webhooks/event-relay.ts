import { type EntityManager, In, IsNull } from "typeorm";
import type { Queue, NewJob } from "../queue/index.js";
import {
  insertRows,
  newId,
  OutboxEvent,
  type Store,
  WebhookDelivery,
  WebhookEndpoint,
  databaseNow,
} from "../storage/database/index.js";
import type { CompletionGate, GateKey } from "./completion-gate.js";
import { WHILE_DISABLED } from "./deliverer.js";

const chunk = 250;

interface Ports {
  store: Pick<Store, "read" | "unitOfWork" | "dialect">;
  queue: Pick<Queue, "enqueue" | "nudge">;
  gate: CompletionGate;
  maxHoldMs: number;
}

type Delivery = Omit<WebhookDelivery, never>;

interface Relayed {
  events: number;
  held: GateKey[];
}

/**
 * Makes deliveries of recorded events, one for each endpoint that subscribes. Any number of processes may relay at
 * once: an event is marked in the transaction that makes its deliveries, and the pair of event and endpoint is unique.
 */
export class EventRelay {
  constructor(private readonly ports: Ports) {}

  /** Until no event is left. */
  async run(): Promise<void> {
    const { store, queue, gate } = this.ports;
    for (;;) {
      const waiting = { dispatchedAt: IsNull() };
      if (!(await store.read.existsBy(OutboxEvent, waiting))) return;
      const { events, held } = await store.unitOfWork.run((tx) =>
        this.relayChunk(tx),
      );
      queue.nudge(DELIVERY_JOB);
      for (const key of held) await gate.release(key);
      // Other processes have the rest under way.
      if (events === 0) return;
    }
  }

  private async relayChunk(tx: EntityManager): Promise<Relayed> {
    const events = await this.claimEvents(tx);
    if (events.length === 0) return { events: 0, held: [] };
    const now = await databaseNow(tx);
    const endpoints = await endpointsOf(tx, events);
    const deliveries = events.flatMap((event) =>
      (endpoints.get(event.organizationId) ?? [])
        .filter((endpoint) => endpoint.events.includes(event.type))
        .map((endpoint) => this.deliveryOf(event, endpoint, now)),
    );
    await this.insert(tx, deliveries);
    const ids = events.map(({ id }) => id);
    await tx.update(OutboxEvent, { id: In(ids) }, { dispatchedAt: now });
    return { events: events.length, held: keysOfHeld(deliveries) };
  }

  /** The oldest ones that no other process relays at this moment. */
  private async claimEvents(tx: EntityManager): Promise<OutboxEvent[]> {
    const query = tx
      .createQueryBuilder(OutboxEvent, "event")
      .where("event.dispatchedAt IS NULL")
      .orderBy("event.id", "ASC")
      .limit(chunk);
    if (this.ports.store.dialect !== "sqlite")
      query.setLock("pessimistic_write").setOnLocked("skip_locked");
    return query.getMany();
  }

  private async insert(
    tx: EntityManager,
    deliveries: Delivery[],
  ): Promise<void> {
    await insertRows(tx, WebhookDelivery, deliveries);
    const due = deliveries.filter(({ status }) => status === "pending");
    await this.ports.queue.enqueue(tx, due.map(deliveryJob));
  }

  private deliveryOf(
    event: OutboxEvent,
    { id: endpointId, isEnabled }: WebhookEndpoint,
    now: Date,
  ): Delivery {
    const isHeld = event.documentId === null && event.batchId !== null;
    const status = !isEnabled ? "exhausted" : isHeld ? "held" : "pending";
    const holdUntil = new Date(now.getTime() + this.ports.maxHoldMs);
    return {
      id: newId(),
      organizationId: event.organizationId,
      eventId: event.id,
      endpointId,
      type: event.type,
      batchId: event.batchId,
      documentId: event.documentId,
      status,
      attempts: 0,
      tries: 0,
      nextAttemptAt: status === "pending" ? now : null,
      holdUntil: status === "held" ? holdUntil : null,
      notes: null,
      lastError: isEnabled ? null : WHILE_DISABLED,
      lastStatus: null,
      completedAt: isEnabled ? null : now,
      createdAt: now,
      updatedAt: now,
    };
  }
}

async function endpointsOf(
  tx: EntityManager,
  events: readonly OutboxEvent[],
): Promise<Map<string, WebhookEndpoint[]>> {
  const organizations = [...new Set(events.map((e) => e.organizationId))];
  const endpoints = await tx.findBy(WebhookEndpoint, {
    organizationId: In(organizations),
    deletedAt: IsNull(),
  });
  return new Map(
    organizations.map((id) => [
      id,
      endpoints.filter(({ organizationId }) => organizationId === id),
    ]),
  );
}

function keysOfHeld(deliveries: readonly Delivery[]): GateKey[] {
  return deliveries.flatMap(({ status, endpointId, batchId }) =>
    status === "held" && batchId !== null ? [{ endpointId, batchId }] : [],
  );
}

/** The kind of the jobs that carry a delivery's id. */
export const DELIVERY_JOB = "webhook";

/** Endpoints are served in turns: a slow one waits for itself alone. */
export function deliveryJob({
  id,
  endpointId,
}: {
  id: string;
  endpointId: string;
}): NewJob {
  return { kind: DELIVERY_JOB, rowId: id, partitionKey: endpointId };
}
