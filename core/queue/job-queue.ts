import type { EntityManager } from "typeorm";
import { PlatenError, type Log } from "../plugin-api/index.js";
import {
  type Carrier,
  type Station,
  OwnCarrier,
} from "./database-transport.js";
import { ServerCarrier } from "./server-transport.js";
import { KindLine } from "./job-fetcher.js";
import { Endings, JobRunner, type Work } from "./job-runner.js";
import {
  enqueueJobs,
  plantJob,
  readStats,
  JobTable,
  turnstileOf,
  type Claim,
  countReady,
} from "./job-table.js";
import { Leases } from "./leases.js";
import type {
  QueuePorts,
  JobHandler,
  KindStats,
  NewJob,
  PoisonHandler,
  Queue,
  RunningJob,
  WorkOptions,
} from "./queue.js";

/** How long runs that were told to end may take to do so. */
const abortGraceMs = 2000;

interface Post {
  kind: string;
  options: WorkOptions;
  work: Work;
}

interface JobQueueOptions {
  node: string;
  pollMs: number;
  /** Whether a wake-up stands for all that is ready, or for one job. */
  fillsUp: boolean;
}

/** Joins the table, this node's ends of the lines, the leases and the carrier of wake-ups. */
class JobQueue implements Queue {
  readonly #table: JobTable;
  readonly #leases: Leases;
  readonly #runner: JobRunner;
  readonly #posts: Post[] = [];
  readonly #lines = new Map<string, KindLine>();
  readonly #running = new Set<Promise<void>>();

  constructor(
    private readonly ports: QueuePorts,
    private readonly carrier: Carrier,
    private readonly options: JobQueueOptions,
  ) {
    this.#table = new JobTable(ports.dialect);
    this.#leases = new Leases(ports, this.#table);
    const endings = new Endings(ports);
    this.#runner = new JobRunner(ports, this.#table, this.#leases, endings);
  }

  async enqueue(tx: EntityManager, jobs: readonly NewJob[]): Promise<void> {
    await enqueueJobs(tx, this.ports.dialect, jobs);
  }

  async forget(tx: EntityManager, jobs: readonly RunningJob[]): Promise<void> {
    await this.#runner.forget(tx, jobs);
  }

  nudge(kind: string): void {
    this.#lines.get(kind)?.nudge();
    this.carrier.wake(kind);
  }

  work(
    kind: string,
    options: WorkOptions,
    handler: JobHandler,
    onPoison: PoisonHandler,
  ): void {
    const { maxInterruptions = 3 } = options;
    this.#post(kind, options, { maxInterruptions, handler, onPoison });
  }

  every(
    name: string,
    intervalMs: number,
    handler: (signal: AbortSignal) => Promise<void>,
  ): void {
    const work = sweepWork(intervalMs, handler, this.ports.log);
    this.#post(sweepKind(name), { concurrency: 1 }, work);
  }

  async start(): Promise<void> {
    const planted = this.#posts.flatMap(plantedFor);
    await this.ports.write(async (tx) => {
      for (const job of planted) await plantJob(tx, this.ports.dialect, job);
    });
    await this.carrier.start(this.#posts.map((post) => this.#station(post)));
  }

  async stop(graceMs: number): Promise<void> {
    const lines = [...this.#lines.values()];
    await Promise.all(lines.map((line) => line.close()));
    await this.carrier.drain(graceMs);
    if (this.#running.size > 0) await this.#cutOff();
    await this.#leases.release();
  }

  stats(): Promise<KindStats[]> {
    return readStats(this.ports.read, this.#table);
  }

  #post(kind: string, options: WorkOptions, work: Work): void {
    if (this.#posts.some((post) => post.kind === kind))
      throw new PlatenError(
        "internal",
        `Two workers were named for jobs of the kind "${kind}": there can be one.`,
      );
    this.#posts.push({ kind, options, work });
  }

  #station({ kind, options, work }: Post): Station {
    const { concurrency, leaseMs = 30_000, perShare = Infinity } = options;
    const line = new KindLine(this.ports, this.#table, this.#leases, {
      ...this.options,
      kind,
      concurrency,
      leaseMs,
      perShare,
      onDue: () => this.carrier.wake(kind),
    });
    this.#lines.set(kind, line);
    this.#leases.renew(kind, leaseMs);
    return {
      kind,
      concurrency,
      nudge: () => line.nudge(),
      next: () => line.next(),
      putBack: (claim) => line.putBack(claim),
      run: (claim) => this.#run(claim, work),
    };
  }

  async #run(claim: Claim, work: Work): Promise<void> {
    const run = this.#runner.run(claim, work);
    this.#running.add(run);
    await run;
    this.#running.delete(run);
  }

  async #cutOff(): Promise<void> {
    this.#leases.abortAll(
      new PlatenError("unavailable", "The service is stopping."),
    );
    const patience = new Promise((resolve) => {
      setTimeout(resolve, abortGraceMs).unref();
    });
    await Promise.race([Promise.all(this.#running), patience]);
  }
}

/** Rows that a post needs before it can work: the one job of a sweep, the turnstile of a limited kind. */
function plantedFor({ kind, options }: Post): NewJob[] {
  const sweep = sweepOf(kind);
  return [
    ...(sweep === undefined ? [] : [{ kind, rowId: sweep }]),
    ...(options.perShare === undefined ? [] : [turnstileOf(kind)]),
  ];
}

export interface QueueOptions {
  /** Name of this process in the rows that it holds. */
  node: string;
  /** How often this node looks for jobs that it was not told of. Default 1 s. */
  pollMs?: number;
  /** A server that carries the wake-ups, `postgres://`; null: the service's own database. */
  serverUrl?: string | null;
}

/** A queue on the service's own database, whose rows are the truth whatever carries the wake-ups. */
export function createQueue(
  ports: QueuePorts,
  { node, pollMs = 1000, serverUrl = null }: QueueOptions,
): Queue {
  if (serverUrl === null) {
    const carrier = new OwnCarrier(pollMs, ports.log);
    return new JobQueue(ports, carrier, { node, pollMs, fillsUp: true });
  }
  const table = new JobTable(ports.dialect);
  const carrier = new ServerCarrier({
    url: serverUrl,
    pollMs,
    log: ports.log,
    countReady: (kind, limit) => countReady(ports.read, table, kind, limit),
  });
  return new JobQueue(ports, carrier, { node, pollMs, fillsUp: false });
}

const prefix = "every:";

/** The kind of the one job that runs a sweep. */
function sweepKind(name: string): string {
  return `${prefix}${name}`;
}

/** The sweep whose kind this is; undefined for any other kind. */
function sweepOf(kind: string): string | undefined {
  return kind.startsWith(prefix) ? kind.slice(prefix.length) : undefined;
}

/** A job that is never done: it runs again `intervalMs` after its end, whether it succeeded or not. */
function sweepWork(
  intervalMs: number,
  handler: (signal: AbortSignal) => Promise<void>,
  log: Log,
): Work {
  return {
    maxInterruptions: Infinity,
    handler: async ({ rowId, signal }) => {
      try {
        await handler(signal);
      } catch (error) {
        if (signal.aborted) throw error;
        log.error({ sweep: rowId, err: error }, "sweep failed");
      }
      return { again: intervalMs };
    },
    onPoison: () => Promise.resolve(),
  };
}
