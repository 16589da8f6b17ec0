import { createHash } from "node:crypto";
import type { EntityManager } from "typeorm";
import type { Log } from "../plugin-api/index.js";
import type { Store } from "../storage/database/index.js";
import { createToken } from "../lib/injection.js";

/** A process that runs workers starts and stops it. */
export const QUEUE = createToken<Queue>("Queue");

/** The table `job` must exist. */
export type QueuePorts = Pick<Store, "dialect" | "read" | "unitOfWork"> & {
  readonly log: Log;
};

export interface NewJob {
  /** Selects the handler; short, without a slash. */
  kind: string;
  /** The id of the row to work on. */
  rowId: string;
  /** When to run, by the database's clock; default: at once. */
  runAt?: Date;
  /** Milliseconds from now, or from `runAt` when both are given. */
  delayMs?: number;
  /**
   * Workers are shared fairly between partitions: an organization, or a part of its jobs by `createPartitionKey`, among
   * which the organization's share is divided. Default: one partition for all such jobs.
   */
  partitionKey?: string;
  /** Someone waits for it: it goes before the organization's other jobs. A waiting job that exists becomes urgent too. */
  isUrgent?: boolean;
}

/** A part of an organization's jobs, for example those of one webhook endpoint. */
export function createPartitionKey(
  organizationId: string,
  ...parts: readonly (string | null)[]
): string {
  const hash = createHash("sha256").update(JSON.stringify(parts));
  return `${organizationId}/${hash.digest("base64url").slice(0, 24)}`;
}

/** What restricts the jobs of a partition beside the queue's own limits, on this node. */
export interface PartitionLimit {
  /** Partitions with the same key share the limit. */
  key: unknown;
  maxRunning: number;
  /** None starts before that many milliseconds have passed; 0 for no wait. */
  waitMs: number;
}

export interface RunningJob {
  readonly rowId: string;
  /** 1, or more when earlier runs were interrupted or threw. */
  readonly attempt: number;
  /** Fires when the lease is lost or the shutdown grace period is over; later writes must be fenced. */
  readonly signal: AbortSignal;
  /**
   * Deletes the job in the transaction that ends its row, so that both happen together; otherwise it is deleted after
   * the handler. No other node can take the job until `tx` ends. Rejects when the lease was lost: let the transaction
   * and the handler reject too.
   */
  readonly complete: (tx: EntityManager) => Promise<void>;
}

/** A job that shares the slot of another one; see `Queue.takeMore`. */
export interface TakenJob {
  readonly job: RunningJob;
  /** Runs it as the queue runs a job that it has claimed itself. Does nothing for one that was completed. */
  run(handler: JobHandler): Promise<void>;
}

/** The job is done and deleted, unless it is to run `again` after so many milliseconds. */
export type JobOutcome = void | { again: number };

export type JobHandler = (job: RunningJob) => Promise<JobOutcome>;

/** Called for a job whose runs were all interrupted, to end its row; the job is then deleted. */
export type PoisonHandler = (rowId: string, attempts: number) => Promise<void>;

export interface WorkOptions {
  /** Jobs of this kind that this node runs at once. */
  concurrency: number;
  /** After how long a silent node's jobs go to others; renewed every third of it. Default: the queue's. */
  leaseMs?: number;
  /** Runs that may be interrupted or throw before the job counts as poison. Default 3. */
  maxInterruptions?: number;
  /** Jobs of one partition that run at once, on all nodes together. Default: no limit. */
  maxPerPartition?: number;
  /**
   * Whether jobs mostly wait for others' servers: then an organization holds no more of this node's slots than it leaves
   * free, and each partition no more than it leaves free of the organization's half, so that servers that hang hold up no
   * one else. Default false.
   */
  leavesSlotsFree?: boolean;
  /** Called for each partition with jobs before some are claimed; must be fast. Default: no limit. */
  getLimit?: (partition: {
    key: string;
    isUrgent: boolean;
  }) => PartitionLimit | undefined;
}

/** Jobs of one kind. */
export interface JobStats {
  kind: string;
  /** May start now. */
  ready: number;
  /** Scheduled for later. */
  delayed: number;
  running: number;
  /** Age of the oldest ready job; 0 when there is none. */
  oldestReadySeconds: number;
}

export interface Queue {
  /**
   * Adds jobs in the caller's transaction. A job that exists already is woken no later than asked; if it is running, it
   * runs once more afterwards. Call `nudge` after the commit.
   */
  enqueue(tx: EntityManager, jobs: readonly NewJob[]): Promise<void>;
  /** `RunningJob.complete` for several jobs of one kind in one statement. Rejects when one lease was lost. */
  complete(tx: EntityManager, jobs: readonly RunningJob[]): Promise<void>;
  /**
   * Takes up to `limit` more ready jobs of the partition of a running one, oldest first, without those whose earlier runs
   * were interrupted: these run alone. They share its slot, but each counts for `maxPerPartition`, unless they are taken
   * `inTurn`: then the handler runs no two of them at once, and neither beside the work of the running job itself. Its
   * handler completes or runs each; what is left when it ends is released.
   */
  takeMore(
    job: RunningJob,
    limit: number,
    options?: { inTurn?: boolean },
  ): Promise<TakenJob[]>;
  /** Has this node poll for jobs of the kind at once; other nodes see them at their next poll. */
  nudge(kind: string): void;
  /** Registers the worker of a kind; before `start`. A handler runs at least once for each job. */
  work(
    kind: string,
    options: WorkOptions,
    handler: JobHandler,
    onPoison: PoisonHandler,
  ): void;
  /** Runs a sweep periodically, on one node at a time; `intervalMs` counts from its end. Call before `start`. */
  every(
    name: string,
    intervalMs: number,
    handler: (signal: AbortSignal) => Promise<void>,
  ): void;
  start(): Promise<void>;
  /** Takes no more jobs, waits for the running ones, and after `graceMs` releases those still running. */
  stop(graceMs: number): Promise<void>;
  stats(): Promise<JobStats[]>;
}
