import type { Metrics } from "../plugin-api/index.js";
import type { Queue } from "../queue/index.js";
import { readTogether } from "./read-together.js";

const states = ["ready", "delayed", "running"] as const;

/** What the queue tells of itself, as metrics; it is the same for all processes on one database. */
export function observeQueue(metrics: Metrics, queue: () => Queue): void {
  const stats = readTogether(async () => queue().stats());
  metrics.gauge(
    {
      name: "platen_queue_jobs",
      help: "Jobs in the queue, over all processes: ready to start, delayed, or running.",
      labels: ["kind", "state"],
    },
    async () =>
      (await stats()).flatMap((of) =>
        states.map((state) => ({
          labels: { kind: of.kind, state },
          value: of[state],
        })),
      ),
  );
  metrics.gauge(
    {
      name: "platen_queue_oldest_ready_seconds",
      help: "For how long the oldest job that could start has waited.",
      labels: ["kind"],
    },
    async () =>
      (await stats()).map(({ kind, oldestReadySeconds }) => ({
        labels: { kind },
        value: oldestReadySeconds,
      })),
  );
}
