import { type EntityManager, IsNull } from "typeorm";
import type { Metrics } from "../plugin-api/index.js";
import {
  type AttemptOutcome,
  OutboxEvent,
  WebhookDelivery,
  databaseNow,
} from "../storage/database/index.js";

/** Deliveries under way, over all processes. */
interface Backlog {
  /** Recorded events whose deliveries are not made yet. */
  unrelayed: number;
  /** Deliveries with an attempt that is due or planned. */
  pending: number;
  /** Those that wait for their batch. */
  held: number;
  /** For how long the oldest due attempt has waited; 0 when none is due. */
  oldestDueSeconds: number;
}

export interface EventStats extends Backlog {
  /** Attempts that this process has made, by how they ended. */
  attempts: Record<AttemptOutcome, number>;
}

/** @param read a snapshot, or an event could be counted twice or not at all. */
export async function backlogOf(read: EntityManager): Promise<Backlog> {
  const unrelayed = await read.countBy(OutboxEvent, { dispatchedAt: IsNull() });
  const pending = await read.countBy(WebhookDelivery, { status: "pending" });
  const held = await read.countBy(WebhookDelivery, { status: "held" });
  const oldest = await read.findOne(WebhookDelivery, {
    where: { status: "pending" },
    select: { id: true, nextAttemptAt: true },
    order: { nextAttemptAt: "ASC" },
  });
  const now = await databaseNow(read);
  const due = oldest?.nextAttemptAt?.getTime() ?? Infinity;
  const oldestDueSeconds = Math.max(0, (now.getTime() - due) / 1000);
  return { unrelayed, pending, held, oldestDueSeconds };
}

interface EventNumbers {
  stats(): Promise<EventStats>;
  attempts(): EventStats["attempts"];
}

/** Tells how deliveries are doing; all but the attempts is read from the database at each scrape. */
export function tellEventMetrics(metrics: Metrics, events: EventNumbers): void {
  tellAttempts(metrics, events);
  tellUnderWay(metrics, events);
  tellOldest(metrics, events);
}

function tellAttempts(metrics: Metrics, events: EventNumbers): void {
  metrics.total(
    {
      name: "platen_event_attempts_total",
      help: "Attempts at webhook deliveries of this process, by how they ended.",
      labels: ["outcome"],
    },
    () =>
      Object.entries(events.attempts()).map(([outcome, value]) => ({
        labels: { outcome },
        value,
      })),
  );
}

function tellUnderWay(metrics: Metrics, events: EventNumbers): void {
  metrics.gauge(
    {
      name: "platen_event_deliveries",
      help: "Webhook deliveries under way, over all processes: events not yet relayed, pending, held.",
      labels: ["state"],
    },
    async () => {
      const { unrelayed, pending, held } = await events.stats();
      return Object.entries({ unrelayed, pending, held }).map(
        ([state, value]) => ({ labels: { state }, value }),
      );
    },
  );
}

function tellOldest(metrics: Metrics, events: EventNumbers): void {
  metrics.gauge(
    {
      name: "platen_event_oldest_due_seconds",
      help: "For how long the oldest due webhook delivery has waited.",
    },
    async () => [
      { labels: {}, value: (await events.stats()).oldestDueSeconds },
    ],
  );
}
