// Wakes workers by the id of a row: leases, fencing, fairness between shares, sweeps. What the row means and whether
// there is still something to do is for the worker to find out: a job runs at least once.
export { createQueue, type QueueOptions } from "./job-queue.js";
export type {
  QueuePorts,
  JobHandler,
  JobOutcome,
  KindStats,
  NewJob,
  PoisonHandler,
  Queue,
  RunningJob,
  WorkOptions,
} from "./queue.js";
