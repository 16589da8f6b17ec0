// Runs workers for rows of the database: leases, fencing, fairness between partitions, periodic sweeps. A row is the
// truth and a job is only a wake-up that names it; the worker finds out whether there is still something to do, since a
// job runs at least once.
export { createQueue } from "./job-queue.js";
export { createPartitionKey, QUEUE } from "./queue.js";
export type {
  JobOutcome,
  JobStats,
  NewJob,
  PartitionLimit,
  PoisonHandler,
  Queue,
  RunningJob,
  TakenJob,
  WorkOptions,
} from "./queue.js";
