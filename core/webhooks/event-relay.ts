import { type EntityManager, In, IsNull } from "typeorm";
import {
  getDatabaseTime,
  insertRows,
  newId,
  OutboxEvent,
  WebhookDelivery,
  WebhookEndpoint,
} from "../storage/database/index.js";
import type { CompletionGate } from "./completion-gate.js";
import { DELIVERY_JOB, toDeliveryJob, WHILE_DISABLED } from "./events.js";
import type { EventPorts } from "./ports.js";

const eventsPerTransaction = 250;

/**
 * Creates a delivery of each recorded event for each endpoint that subscribes to it. Any number of processes may relay at
 * once: an event is marked in the transaction that creates its deliveries, and a pair of event and endpoint is unique.
 */
export class EventRelay {
  constructor(
    private readonly ports: EventPorts,
    private readonly gate: CompletionGate,
  ) {}

  /** Until no event is left. */
  async run(): Promise<void> {
    const { store, queue } = this.ports;
    for (;;) {
      const waiting = { dispatchedAt: IsNull() };
      if (!(await store.read.existsBy(OutboxEvent, waiting))) return;
      const deliveries = await store.unitOfWork.run((tx) => this.#relay(tx));
      // Other processes relay the rest.
      if (deliveries === null) return;
      queue.nudge(DELIVERY_JOB);
      for (const { status, endpointId, batchId } of deliveries)
        if (status === "held" && batchId !== null)
          await this.gate.release({ endpointId, batchId });
    }
  }

  /** @returns the deliveries; null when there are no events. */
  async #relay(
    tx: EntityManager,
  ): Promise<Omit<WebhookDelivery, never>[] | null> {
    const events = await this.#claimEvents(tx);
    if (events.length === 0) return null;
    const now = await getDatabaseTime(tx);
    const endpoints = await tx.findBy(WebhookEndpoint, {
      organizationId: In([...new Set(events.map((e) => e.organizationId))]),
      deletedAt: IsNull(),
    });
    const deliveries = events.flatMap((event) =>
      endpoints
        .filter(({ organizationId }) => organizationId === event.organizationId)
        .filter((endpoint) => endpoint.events.includes(event.type))
        .map((endpoint) => this.#toDelivery(event, endpoint, now)),
    );
    await insertRows(tx, WebhookDelivery, deliveries);
    const due = deliveries.filter(({ status }) => status === "pending");
    await this.ports.queue.enqueue(tx, due.map(toDeliveryJob));
    const ids = events.map(({ id }) => id);
    await tx.update(OutboxEvent, { id: In(ids) }, { dispatchedAt: now });
    return deliveries;
  }

  /** The oldest ones that no other process is relaying. */
  async #claimEvents(tx: EntityManager): Promise<OutboxEvent[]> {
    const query = tx
      .createQueryBuilder(OutboxEvent, "event")
      .where("event.dispatchedAt IS NULL")
      .orderBy("event.id", "ASC")
      .limit(eventsPerTransaction);
    if (this.ports.store.dialect !== "sqlite")
      query.setLock("pessimistic_write").setOnLocked("skip_locked");
    return query.getMany();
  }

  #toDelivery(
    event: OutboxEvent,
    { id: endpointId, isEnabled }: WebhookEndpoint,
    now: Date,
  ): Omit<WebhookDelivery, never> {
    const isHeld = event.documentId === null && event.batchId !== null;
    const status = !isEnabled ? "exhausted" : isHeld ? "held" : "pending";
    const { maxHoldMs } = this.ports.settings;
    const holdUntil = new Date(now.getTime() + maxHoldMs);
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
