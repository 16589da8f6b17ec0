import type { Metrics } from "../plugin-api/index.js";
import type { EventStats } from "./event-stats.js";

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
