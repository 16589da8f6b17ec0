import type { EventNudge } from "../event/index.js";
import type { Queue } from "../queue/index.js";
import type { Store } from "../store/index.js";
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

const now = () => new Date();
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
    sweep("batch-expired", 10 * secondMs, () => sweepExpired(store, now())),
    sweep("batch-forgotten", minuteMs, () =>
      sweepForgotten(store, queue, now()),
    ),
    sweep("batch-cancelled", minuteMs, () => sweepCancelled(store)),
    sweep("batch-records", 10 * minuteMs, () => sweepRecords(store, now())),
    sweep("batch-abandoned", 10 * minuteMs, () =>
      discardAbandonedBatches(store, now()),
    ),
  ];
}
