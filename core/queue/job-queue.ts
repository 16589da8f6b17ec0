import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import type { Carrier, Station } from "./carrier/carrier.js";
import { KindLine } from "./line/kind-line.js";
import type { QueuePorts } from "./ports.js";
import type {
  JobHandler,
  KindStats,
  NewJob,
  PoisonHandler,
  Queue,
  RunningJob,
  WorkOptions,
} from "./queue.js";
import { enqueueJobs, plantJob } from "./table/enqueue-jobs.js";
import { readStats } from "./table/job-stats.js";
import { JobTable } from "./table/job-table.js";
import { turnstileOf } from "./table/turnstile.js";
import type { Claim } from "./table/claim.js";
import { Endings } from "./worker/endings.js";
import { Leases } from "./worker/leases.js";
import { JobRunner, type Work } from "./worker/run-job.js";
import { sweepKind, sweepOf, sweepWork } from "./worker/sweep.js";

/** How long runs that were told to end may take to do so. */
const abortGraceMs = 2000;

interface Post {
  kind: string;
  options: WorkOptions;
  work: Work;
}

export interface JobQueueOptions {
  node: string;
  pollMs: number;
  /** Whether a wake-up stands for all that is ready, or for one job. */
  fillsUp: boolean;
}

/** Joins the table, this node's ends of the lines, the leases and the carrier of wake-ups. */
export class JobQueue implements Queue {
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
