import type { EntityManager } from "typeorm";
import type { Log } from "../plugin-api/index.js";

// The queue as other rooms see it. A row of theirs is the truth; a job is only a wake-up that names it.

export interface NewJob {
  /** Whose handler wakes up; short, without a slash. */
  kind: string;
  /** Id of the row to work on. */
  rowId: string;
  /** When to wake up, by the database's clock; default at once. */
  runAt?: Date;
  /** Milliseconds from now; counts from `runAt` when both are given. */
  delayMs?: number;
  /** Among whom the workers are shared fairly, an organization's id for example. Default: all such jobs together. */
  share?: string;
}

export interface RunningJob {
  readonly rowId: string;
  /** 1, or more when earlier runs were cut off or threw. */
  readonly attempt: number;
  /** Fires when the lease is lost or the drain time is over: what is written from then on must be fenced. */
  readonly signal: AbortSignal;
  /**
   * Forgets the job in the transaction that ends its row, so that both become true together; otherwise it is forgotten
   * after the handler. Nobody else can take the job until `tx` ends. Rejects when the lease was lost: let it reject
   * the transaction and the handler.
   */
  readonly forget: (tx: EntityManager) => Promise<void>;
}

/** The job is done and forgotten, unless it is to run `again` after so many milliseconds. */
export type JobOutcome = void | { again: number };

export type JobHandler = (job: RunningJob) => Promise<JobOutcome>;

/** Told of a job whose runs were all cut off, so that its row can be ended; the job is then forgotten. */
export type PoisonHandler = (rowId: string, attempts: number) => Promise<void>;

export interface WorkOptions {
  /** Jobs of this kind that this node runs at once. */
  concurrency: number;
  /** After how long a silent node's jobs go to others; renewed every third of it. Default 30 s. */
  leaseMs?: number;
  /** Runs that may be cut off, or throw, before the job counts as poison. Default 3. */
  maxInterruptions?: number;
  /** Jobs of one share that run at once, over all nodes. Default: no limit. */
  perShare?: number;
}

/** Jobs of one kind. */
export interface KindStats {
  kind: string;
  /** May start now. */
  ready: number;
  /** Wait for their time. */
  delayed: number;
  running: number;
  /** Age of the oldest that may start; 0 when there is none. */
  oldestReadySeconds: number;
}

export interface Queue {
  /**
   * Adds jobs inside the caller's transaction. A job that exists already is woken no later than asked, and if it runs
   * at this moment, once more after that run. Call `nudge` after the commit.
   */
  enqueue(tx: EntityManager, jobs: readonly NewJob[]): Promise<void>;
  /** `RunningJob.forget` of several that run here, all of one kind, in one statement. Rejects when one lease was lost. */
  forget(tx: EntityManager, jobs: readonly RunningJob[]): Promise<void>;
  /** Has this node look for jobs of the kind at once; others see them at their next poll. */
  nudge(kind: string): void;
  /** Tells who works on a kind; before `start`. Handlers run at least once for each job. */
  work(
    kind: string,
    options: WorkOptions,
    handler: JobHandler,
    onPoison: PoisonHandler,
  ): void;
  /** Runs a sweep again and again, on one node at a time; `intervalMs` counts from its end. Before `start`. */
  every(
    name: string,
    intervalMs: number,
    handler: (signal: AbortSignal) => Promise<void>,
  ): void;
  start(): Promise<void>;
  /** Takes no more jobs, waits for the running ones, and after `graceMs` gives back those still running. */
  stop(graceMs: number): Promise<void>;
  stats(): Promise<KindStats[]>;
}

/** What the queue is handed. The table `job` must exist. */
export interface QueuePorts {
  readonly dialect: "sqlite" | "mysql" | "mariadb";
  /** Reads what is committed, without waiting for a writer. */
  readonly read: EntityManager;
  /** Runs a transaction, and again after a deadlock; on SQLite one at a time. */
  write<T>(work: (tx: EntityManager) => Promise<T>): Promise<T>;
  readonly log: Log;
}
