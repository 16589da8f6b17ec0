import type { Metrics } from "../contract/index.js";
import type { EventStats } from "./event-stats.js";

/** Tells how deliveries are doing; all but the attempts is read from the database at each scrape. */
export function tellEventMetrics(
  metrics: Metrics,
  events: {
    stats(): Promise<EventStats>;
    attempts(): EventStats["attempts"];
  },
): void {
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
