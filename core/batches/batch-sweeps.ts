import type { EventNudge } from "../webhooks/index.js";
import type { Queue } from "../queue/index.js";
import { databaseNow, type Store } from "../storage/database/index.js";
import { sweepCancelled } from "./cancel-batch.js";
import { discardAbandonedBatches } from "./discard-batch.js";
import { sweepExpired } from "./sweep-expired.js";
import { sweepForgotten } from "./sweep-forgotten.js";
import { sweepRecords } from "./sweep-records.js";

/** What finds and mends what was forgotten: it may run at any time, on one process or several. */
export interface Sweep {
  name: `batch-${string}`;
  everyMs: number;
  run: () => Promise<void>;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;

export function batchSweeps({
  store,
  queue,
  events,
}: {
  store: Store;
  queue: Queue;
  events: EventNudge;
}): Sweep[] {
  const now = () => databaseNow(store.read);
  const sweep = (
    name: Sweep["name"],
    everyMs: number,
    work: () => Promise<unknown>,
  ): Sweep => ({
    name,
    everyMs,
    run: async () => {
      await work();
      events.nudge();
    },
  });
  return [
    sweep("batch-expired", 10 * secondMs, async () =>
      sweepExpired(store, await now()),
    ),
    sweep("batch-forgotten", minuteMs, async () =>
      sweepForgotten(store, queue, await now()),
    ),
    sweep("batch-cancelled", minuteMs, () => sweepCancelled(store)),
    sweep("batch-records", 10 * minuteMs, async () =>
      sweepRecords(store, await now()),
    ),
    sweep("batch-abandoned", 10 * minuteMs, async () =>
      discardAbandonedBatches(store, await now()),
    ),
  ];
}
