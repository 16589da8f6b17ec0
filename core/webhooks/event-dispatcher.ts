import { In, LessThan, MoreThan, type EntityManager, IsNull } from "typeorm";
import { clock, type Timer } from "../lib/clock.js";
import { formatError } from "../plugin-api/index.js";
import {
  getDatabaseTime,
  OutboxEvent,
  type Store,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  insertRows,
  newId,
} from "../storage/database/index.js";
import type { CompletionGate } from "./completion-gate.js";
import type { Deliverer } from "./deliverer.js";
import {
  DELIVERY_JOB,
  type EventWaker,
  isHeldEvent,
  toDeliveryJob,
  WHILE_DISABLED,
  type EventPorts,
} from "./events.js";
import { type EventStats, readBacklog } from "./metrics.js";

const pollMs = 1000;
/** Documents that end within a short time are relayed in one transaction. */
const gatherMs = 15;
const sweepMs = 30_000;
const hourMs = 60 * 60_000;
/** A message does not crash the process that sends it, so an interrupted one is sent again, however often. */
const maxInterruptions = 1000;
const eventsPerTransaction = 250;
const rowsPerSweep = 200;
const rowsPerDelete = 500;
/** A delivery overdue for this long may have lost its job, even though endpoints take turns. */
const forgottenAfterMs = 10 * 60_000;

/** Delivers recorded events: processes that called `start` relay them to deliveries, those that called `work` send them. */
export class EventDispatcher implements EventWaker {
  #timer: Timer | undefined;
  #running: Promise<void> | null = null;
  #isRequested = false;

  constructor(
    private readonly ports: EventPorts,
    private readonly deliverer: Deliverer,
    private readonly gate: CompletionGate,
  ) {}

  /** Has this process send deliveries; call before the queue starts. */
  work(): void {
    const { queue, settings } = this.ports;
    const { concurrency, perEndpoint } = settings;
    queue.work(
      DELIVERY_JOB,
      {
        concurrency,
        maxPerPartition: perEndpoint,
        leavesSlotsFree: true,
        maxInterruptions,
      },
      (job) => this.deliverer.run(job),
      (id) => this.#giveUp(id),
    );
    queue.every("webhook-sweep", sweepMs, (signal) => this.sweep(signal));
    queue.every("event-retention", hourMs, (signal) => this.deleteOld(signal));
  }

  /** Completes what a crash interrupted between two commits, and ends holds; runs every 30 s. */
  async sweep(signal: AbortSignal): Promise<void> {
    await this.#relayAll();
    await this.#releaseHeld(signal);
    await this.#requeueLost();
  }

  /** Deletes what is past its retention; runs every hour. */
  async deleteOld(signal: AbortSignal): Promise<void> {
    const { store, settings } = this.ports;
    const now = await getDatabaseTime(store.read);
    const limit = new Date(now.getTime() - settings.retentionMs);
    await deleteUntilDone(() => deleteDeliveries(store, limit), signal);
    await deleteUntilDone(() => deleteEvents(store, limit), signal);
    if (!signal.aborted) await deleteEndpoints(store, limit);
  }

  /** Polls every second for events that other processes recorded. */
  start(): void {
    this.#timer = clock.watch(pollMs, () => this.nudge()).unref();
  }

  /** Resolves when the running relay is done. The queue ends the attempts. */
  async stop(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    await this.#running;
  }

  nudge(): void {
    if (this.#timer === undefined) return;
    this.#isRequested = true;
    this.#running ??= this.#relayRequested().finally(() => {
      this.#running = null;
      // Requested at the very end of the previous relay.
      if (this.#isRequested) this.nudge();
    });
  }

  async stats(): Promise<EventStats> {
    const backlog = await this.ports.store.snapshot(readBacklog);
    return { ...backlog, attempts: this.attempts() };
  }

  /** The part of the statistics that needs no query. */
  attempts(): EventStats["attempts"] {
    return { ...this.deliverer.counts };
  }

  /** A request during a relay may be for events that the relay no longer sees, so it runs once more. */
  async #relayRequested(): Promise<void> {
    while (this.#isRequested) {
      await clock.sleep(gatherMs);
      this.#isRequested = false;
      try {
        await this.#relayAll();
      } catch (error) {
        const reason = formatError(error);
        this.ports.log.warn(
          { err: error },
          `could not relay events: ${reason}`,
        );
      }
    }
  }

  /**
   * Creates a delivery of each recorded event for each endpoint that subscribes to it, until no event is left. Any number
   * of processes may relay at once: an event is marked in the transaction that creates its deliveries, and a pair of event
   * and endpoint is unique.
   */
  async #relayAll(): Promise<void> {
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
    const isHeld = isHeldEvent(event);
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

  async #giveUp(id: string): Promise<void> {
    const { store } = this.ports;
    const delivery = await store.read.findOneBy(WebhookDelivery, { id });
    if (delivery === null) return;
    await store.unitOfWork.run(async (tx) => {
      const now = await getDatabaseTime(tx);
      await tx.update(
        WebhookDelivery,
        { id, status: "pending" },
        {
          status: "exhausted",
          nextAttemptAt: null,
          completedAt: now,
          lastError: "Every process that sent this was interrupted.",
          updatedAt: now,
        },
      );
    });
    const { endpointId, batchId } = delivery;
    if (batchId !== null) await this.gate.release({ endpointId, batchId });
  }

  /** Also those whose hold has ended. */
  async #releaseHeld(signal: AbortSignal): Promise<void> {
    let last = "";
    while (!signal.aborted) {
      const held = await this.ports.store.read.find(WebhookDelivery, {
        where: { status: "held", id: MoreThan(last) },
        select: { id: true, endpointId: true, batchId: true },
        order: { id: "ASC" },
        take: rowsPerSweep,
      });
      for (const { endpointId, batchId } of held)
        if (batchId !== null) await this.gate.release({ endpointId, batchId });
      if (held.length < rowsPerSweep) return;
      last = held.at(-1)?.id ?? "";
    }
  }

  /** Moves their time, so that each is enqueued only once in a while: its job may exist after all. */
  async #requeueLost(): Promise<void> {
    const { store, queue } = this.ports;
    const count = await store.unitOfWork.run(async (tx) => {
      const now = await getDatabaseTime(tx);
      const limit = new Date(now.getTime() - forgottenAfterMs);
      const rows = await tx.find(WebhookDelivery, {
        where: { status: "pending", nextAttemptAt: LessThan(limit) },
        select: { id: true, organizationId: true, endpointId: true },
        order: { nextAttemptAt: "ASC" },
        take: rowsPerSweep,
      });
      await queue.enqueue(tx, rows.map(toDeliveryJob));
      for (const { id } of rows)
        await tx.update(
          WebhookDelivery,
          { id, status: "pending" },
          { nextAttemptAt: now },
        );
      return rows.length;
    });
    if (count > 0) queue.nudge(DELIVERY_JOB);
  }
}

async function deleteUntilDone(
  deleteSome: () => Promise<number>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) if ((await deleteSome()) < rowsPerDelete) return;
}

/** Deletes deliveries that ended before `limit`, with their attempts. */
async function deleteDeliveries(store: Store, limit: Date): Promise<number> {
  const rows = await store.read.find(WebhookDelivery, {
    where: { completedAt: LessThan(limit) },
    select: { id: true },
    take: rowsPerDelete,
  });
  await store.unitOfWork.run(async (tx) => {
    // One that was replayed meanwhile stays, and so does its history.
    const id = In(rows.map((row) => row.id));
    const ended = await tx.find(WebhookDelivery, {
      where: { id, completedAt: LessThan(limit) },
      select: { id: true },
    });
    const old = In(ended.map((row) => row.id));
    await tx.delete(WebhookAttempt, { deliveryId: old });
    await tx.delete(WebhookDelivery, { id: old });
  });
  return rows.length;
}

/** Deletes events that are older than `limit` and have no delivery left. */
async function deleteEvents(store: Store, limit: Date): Promise<number> {
  const rows = await store.read
    .createQueryBuilder(OutboxEvent, "event")
    .select("event.id", "id")
    .leftJoin(WebhookDelivery, "delivery", "delivery.eventId = event.id")
    .where("event.createdAt < :limit", { limit })
    .andWhere("event.dispatchedAt IS NOT NULL")
    .andWhere("delivery.id IS NULL")
    .limit(rowsPerDelete)
    .getRawMany<{ id: string }>();
  const id = In(rows.map((row) => row.id));
  await store.unitOfWork.run((tx) => tx.delete(OutboxEvent, { id }));
  return rows.length;
}

/** Deletes endpoints that their owners deleted before `limit`; those with deliveries left stay until the next time. */
async function deleteEndpoints(store: Store, limit: Date): Promise<void> {
  const rows = await store.read.find(WebhookEndpoint, {
    where: { deletedAt: LessThan(limit) },
    select: { id: true },
    take: rowsPerDelete,
  });
  for (const { id } of rows)
    await store.unitOfWork.run(async (tx) => {
      const isUsed = await tx.existsBy(WebhookDelivery, { endpointId: id });
      if (!isUsed) await tx.delete(WebhookEndpoint, { id });
    });
}
