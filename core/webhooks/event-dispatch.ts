import { setTimeout as pause } from "node:timers/promises";
import { errorText, type Log } from "../plugin-api/index.js";
import type { Queue } from "../queue/index.js";
import {
  type Store,
  WebhookDelivery,
  databaseNow,
} from "../storage/database/index.js";
import type { AttemptCounts } from "./attempt-counts.js";
import type { CompletionGate } from "./completion-gate.js";
import { deleteOldEvents } from "./delete-old-events.js";
import type { Deliverer } from "./deliverer.js";
import { DELIVERY_JOB } from "./delivery-job.js";
import { sweepDeliveries } from "./delivery-sweep.js";
import type { EventRelay } from "./event-relay.js";
import type { EventSettings } from "./event-settings.js";
import { backlogOf, type EventStats } from "./event-stats.js";
import type { EventNudge } from "./nudge.js";

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
      { concurrency, perShare: perEndpoint, leaseMs, maxInterruptions },
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
