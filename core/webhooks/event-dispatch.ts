import { setTimeout as pause } from "node:timers/promises";
import { LessThan, MoreThan, In } from "typeorm";
import { errorText, type Log } from "../plugin-api/index.js";
import type { Queue } from "../queue/index.js";
import {
  type Store,
  WebhookDelivery,
  databaseNow,
  OutboxEvent,
  WebhookAttempt,
  WebhookEndpoint,
} from "../storage/database/index.js";
import type { CompletionGate } from "./completion-gate.js";
import type { AttemptCounts, EventSettings } from "./create-events.js";
import type { Deliverer } from "./deliverer.js";
import { DELIVERY_JOB, type EventRelay, deliveryJob } from "./event-relay.js";
import type { EventNudge } from "./events.js";
import { backlogOf, type EventStats } from "./metrics.js";

const pollMs = 1000;

/** Documents that end close together are told of in one transaction. */
const gatherMs = 15;
const sweepMs = 30_000;
const hourMs = 60 * 60_000;

/** A message harms nobody's process: one that was cut off is sent again, however often its process is killed. */
const maxInterruptions = 1000;

interface Ports {
  store: Store;
  queue: Pick<Queue, "enqueue" | "nudge" | "work" | "every">;
  relay: EventRelay;
  deliverer: Deliverer;
  gate: CompletionGate;
  counts: AttemptCounts;
  settings: EventSettings;
  log: Log;
}

/** Brings recorded events out: any process relays them to deliveries, and those that `work` make the attempts. */
export class EventDispatch implements EventNudge {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private isAsked = false;

  constructor(private readonly ports: Ports) {}

  /** Has this process make deliveries; before the queue starts. */
  work(): void {
    const { queue, settings, deliverer } = this.ports;
    const { concurrency, perEndpoint, leaseMs } = settings;
    queue.work(
      DELIVERY_JOB,
      { concurrency, maxPerPartition: perEndpoint, leaseMs, maxInterruptions },
      (job) => deliverer.run(job),
      (id) => this.giveUp(id),
    );
    queue.every("webhook-sweep", sweepMs, (signal) => this.sweep(signal));
    queue.every("event-retention", hourMs, (signal) => this.forget(signal));
  }

  /** Finds what a crash left between two commits, and ends holds; runs by itself every half minute. */
  async sweep(signal: AbortSignal): Promise<void> {
    await this.ports.relay.run();
    await sweepDeliveries(this.ports, signal);
  }

  /** Deletes what is older than it is to be kept; runs by itself every hour. */
  async forget(signal: AbortSignal): Promise<void> {
    const { store, settings } = this.ports;
    const now = await databaseNow(store.read);
    const limit = new Date(now.getTime() - settings.retentionMs);
    await deleteOldEvents(store, limit, signal);
  }

  /** Looks for events that other processes recorded, every second. */
  start(): void {
    this.timer = setInterval(() => this.nudge(), pollMs).unref();
  }

  /** Resolves when the running relay is done. The attempts are the queue's to end. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  nudge(): void {
    this.isAsked = true;
    this.running ??= this.relay().finally(() => {
      this.running = null;
      // Asked at the very end of the relay that was running.
      if (this.isAsked) this.nudge();
    });
  }

  async stats(): Promise<EventStats> {
    const backlog = await this.ports.store.snapshot(backlogOf);
    return { ...backlog, attempts: this.attempts() };
  }

  /** What needs no look at the database. */
  attempts(): EventStats["attempts"] {
    return this.ports.counts.read();
  }

  /** Whoever nudges while a relay runs may have recorded what it no longer sees: so it runs once more. */
  private async relay(): Promise<void> {
    while (this.isAsked) {
      await pause(gatherMs);
      this.isAsked = false;
      try {
        await this.ports.relay.run();
      } catch (error) {
        const reason = errorText(error);
        this.ports.log.warn({ err: error }, `events wait: ${reason}`);
      }
    }
  }

  private async giveUp(id: string): Promise<void> {
    const { store, gate } = this.ports;
    const delivery = await store.read.findOneBy(WebhookDelivery, { id });
    if (delivery === null) return;
    await store.unitOfWork.run(async (tx) => {
      const now = await databaseNow(tx);
      await tx.update(
        WebhookDelivery,
        { id, status: "pending" },
        {
          status: "exhausted",
          nextAttemptAt: null,
          completedAt: now,
          lastError: "Every process that sent it was cut off.",
          updatedAt: now,
        },
      );
    });
    const { endpointId, batchId } = delivery;
    if (batchId !== null) await gate.release({ endpointId, batchId });
  }
}

const chunk = 200;

/** A delivery that is so long past its time, though its endpoint is served in turns, may have lost its job. */
const forgottenAfterMs = 10 * 60_000;

interface SweepPorts {
  store: Store;
  queue: Pick<Queue, "enqueue" | "nudge">;
  gate: CompletionGate;
}

/** Finds what a crash left between two commits: gates that nobody asked again, and deliveries without a job. */
async function sweepDeliveries(
  ports: SweepPorts,
  signal: AbortSignal,
): Promise<void> {
  await openGates(ports, signal);
  await wakeForgotten(ports);
}

/** Also those whose wait is over. */
async function openGates(
  { store, gate }: SweepPorts,
  signal: AbortSignal,
): Promise<void> {
  let last = "";
  while (!signal.aborted) {
    const held = await store.read.find(WebhookDelivery, {
      where: { status: "held", id: MoreThan(last) },
      select: { id: true, endpointId: true, batchId: true },
      order: { id: "ASC" },
      take: chunk,
    });
    for (const { endpointId, batchId } of held)
      if (batchId !== null) await gate.release({ endpointId, batchId });
    if (held.length < chunk) return;
    last = held.at(-1)?.id ?? "";
  }
}

/** Each of them once in a while: their job may be there all the same. */
async function wakeForgotten({ store, queue }: SweepPorts): Promise<void> {
  const count = await store.unitOfWork.run(async (tx) => {
    const now = await databaseNow(tx);
    const limit = new Date(now.getTime() - forgottenAfterMs);
    const rows = await tx.find(WebhookDelivery, {
      where: { status: "pending", nextAttemptAt: LessThan(limit) },
      select: { id: true, endpointId: true },
      order: { nextAttemptAt: "ASC" },
      take: chunk,
    });
    await queue.enqueue(tx, rows.map(deliveryJob));
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

const rowsPerDelete = 500;

/**
 * Deletes deliveries that ended before `limit`, with their attempts; then events that are as old and have no delivery
 * left, and deleted endpoints without any.
 */
async function deleteOldEvents(
  store: Store,
  limit: Date,
  signal: AbortSignal,
): Promise<void> {
  const steps = [oldDeliveries, oldEvents, deletedEndpoints];
  for (const step of steps)
    while (!signal.aborted)
      if ((await step(store, limit)) < rowsPerDelete) break;
}

async function oldDeliveries(store: Store, limit: Date): Promise<number> {
  const rows = await store.read.find(WebhookDelivery, {
    where: { completedAt: LessThan(limit) },
    select: { id: true },
    order: { completedAt: "ASC" },
    take: rowsPerDelete,
  });
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await store.unitOfWork.run(async (tx) => {
    // One that was replayed meanwhile stays, and so does its history.
    const ended = { id: In(ids), completedAt: LessThan(limit) };
    const found = await tx.find(WebhookDelivery, {
      where: ended,
      select: { id: true },
    });
    const old = found.map(({ id }) => id);
    await tx.delete(WebhookAttempt, { deliveryId: In(old) });
    await tx.delete(WebhookDelivery, { id: In(old) });
  });
  return rows.length;
}

async function oldEvents(store: Store, limit: Date): Promise<number> {
  const rows = await store.read
    .createQueryBuilder(OutboxEvent, "event")
    .select("event.id", "id")
    .leftJoin(WebhookDelivery, "delivery", "delivery.eventId = event.id")
    .where("event.createdAt < :limit", { limit })
    .andWhere("event.dispatchedAt IS NOT NULL")
    .andWhere("delivery.id IS NULL")
    .orderBy("event.createdAt", "ASC")
    .limit(rowsPerDelete)
    .getRawMany<{ id: string }>();
  if (rows.length === 0) return 0;
  await store.unitOfWork.run(async (tx) => {
    await tx.delete(OutboxEvent, { id: In(rows.map(({ id }) => id)) });
  });
  return rows.length;
}

async function deletedEndpoints(store: Store, limit: Date): Promise<number> {
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
  // Those with deliveries under way stay for the next time, so this is one pass.
  return 0;
}
