import { type EntityManager, IsNull } from "typeorm";
import type { Metrics } from "../plugin-api/index.js";
import {
  type AttemptOutcome,
  getDatabaseTime,
  OutboxEvent,
  WebhookDelivery,
} from "../storage/database/index.js";

/** Deliveries in progress, of all processes. */
export interface Backlog {
  /** Recorded events whose deliveries are not created yet. */
  unrelayed: number;
  /** Deliveries whose next attempt is due or scheduled. */
  pending: number;
  /** Deliveries that wait for their batch. */
  held: number;
  /** How long the oldest due attempt has waited; 0 when none is due. */
  oldestDueSeconds: number;
}

export interface EventStats extends Backlog {
  /** Attempts that this process has made, by outcome. */
  attempts: Record<AttemptOutcome, number>;
}

/** @param read a snapshot, or an event could be counted twice or not at all. */
export async function readBacklog(read: EntityManager): Promise<Backlog> {
  const unrelayed = await read.countBy(OutboxEvent, { dispatchedAt: IsNull() });
  const pending = await read.countBy(WebhookDelivery, { status: "pending" });
  const held = await read.countBy(WebhookDelivery, { status: "held" });
  const oldest = await read.findOne(WebhookDelivery, {
    where: { status: "pending" },
    select: { id: true, nextAttemptAt: true },
    order: { nextAttemptAt: "ASC" },
  });
  const now = await getDatabaseTime(read);
  const due = oldest?.nextAttemptAt?.getTime() ?? Infinity;
  const oldestDueSeconds = Math.max(0, (now.getTime() - due) / 1000);
  return { unrelayed, pending, held, oldestDueSeconds };
}

/** Registers the metrics of deliveries; all but the attempts are read from the database at each scrape. */
export function registerEventMetrics(
  metrics: Metrics,
  events: {
    stats(): Promise<EventStats>;
    attempts(): EventStats["attempts"];
  },
): void {
  metrics.total(
    {
      name: "platen_event_attempts_total",
      help: "Attempts of webhook deliveries by this process, by outcome.",
      labels: ["outcome"],
    },
    () =>
      Object.entries(events.attempts()).map(([outcome, value]) => ({
        labels: { outcome },
        value,
      })),
  );
  metrics.gauge(
    {
      name: "platen_event_deliveries",
      help: "Webhook deliveries in progress in all processes: events not yet relayed, pending, held.",
      labels: ["state"],
    },
    async () => {
      const { unrelayed, pending, held } = await events.stats();
      return Object.entries({ unrelayed, pending, held }).map(
        ([state, value]) => ({ labels: { state }, value }),
      );
    },
  );
  metrics.gauge(
    {
      name: "platen_event_oldest_due_seconds",
      help: "How long the oldest due webhook delivery has waited.",
    },
    async () => [
      { labels: {}, value: (await events.stats()).oldestDueSeconds },
    ],
  );
}
