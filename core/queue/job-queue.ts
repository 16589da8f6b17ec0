import { hostname } from "node:os";
import type { EntityManager } from "typeorm";
import { clock } from "../lib/clock.js";
import { type Log, PlatenError } from "../plugin-api/index.js";
import { provide } from "../lib/injection.js";
import { CONFIG, LOG } from "../lib/process-values.js";
import { STORE } from "../storage/database/index.js";
import { DatabaseTransport, type Transport } from "./database-transport.js";
import { JobFetcher, Leases } from "./job-fetcher.js";
import { type Claim, JobTable, limitRow } from "./job-table.js";
import {
  type JobHandler,
  type JobOutcome,
  type JobStats,
  type NewJob,
  type PoisonHandler,
  type Queue,
  type QueuePorts,
  type RunningJob,
  type TakenJob,
  type WorkOptions,
  QUEUE,
} from "./queue.js";
import { ServerTransport } from "./server-transport.js";

export interface QueueOptions {
  /** Name of this process in the rows that it holds. */
  node: string;
  /** How often this node polls for jobs that it was not woken for. Default 1 s. */
  pollMs?: number;
  /** After how long a silent node's jobs go to others, unless their kind says otherwise. Default 30 s. */
  leaseMs?: number;
  /** A server that transports the wake-ups, `postgres://`; null: the service's own database. */
  serverUrl?: string | null;
}

/** A queue on the service's own database, whose rows are the truth whichever transport carries the wake-ups. */
export function createQueue(
  ports: QueuePorts,
  { node, pollMs = 1000, leaseMs = 30_000, serverUrl = null }: QueueOptions,
): Queue {
  const { read, log } = ports;
  const table = new JobTable(ports.dialect);
  const transport =
    serverUrl === null
      ? new DatabaseTransport(pollMs, log)
      : new ServerTransport({
          url: serverUrl,
          pollMs,
          log,
          countReady: (kind, limit) => table.countReady(read, kind, limit),
        });
  const prefetch = serverUrl === null;
  return new JobQueue(ports, table, transport, {
    node,
    pollMs,
    leaseMs,
    prefetch,
  });
}

provide(QUEUE, (c) =>
  createQueue(
    { ...c.resolve(STORE), log: c.resolve(LOG) },
    { ...c.resolve(CONFIG).queue, node: `${hostname()}:${process.pid}` },
  ),
);

/** How long aborted runs may take to end. */
const abortGraceMs = 2000;
const sweepPrefix = "every:";

interface Registration {
  kind: string;
  options: WorkOptions;
  worker: Worker;
  /** The job that must exist before the worker starts. */
  seed?: NewJob;
}

interface JobQueueOptions {
  node: string;
  pollMs: number;
  leaseMs: number;
  /** Whether a wake-up stands for all ready jobs, or for one. */
  prefetch: boolean;
}

class JobQueue implements Queue {
  readonly #leases: Leases;
  readonly #runner: JobRunner;
  readonly #registrations: Registration[] = [];
  readonly #fetchers = new Map<string, JobFetcher>();
  readonly #running = new Set<Promise<void>>();

  constructor(
    private readonly ports: QueuePorts,
    private readonly table: JobTable,
    private readonly transport: Transport,
    private readonly options: JobQueueOptions,
  ) {
    this.#leases = new Leases(ports, table);
    this.#runner = new JobRunner(ports, table, this.#leases);
  }

  async enqueue(tx: EntityManager, jobs: readonly NewJob[]): Promise<void> {
    await this.table.enqueue(tx, jobs);
  }

  async complete(
    tx: EntityManager,
    jobs: readonly RunningJob[],
  ): Promise<void> {
    await this.#runner.complete(tx, jobs);
  }

  async takeMore(
    job: RunningJob,
    limit: number,
    { inTurn = false } = {},
  ): Promise<TakenJob[]> {
    const claim = this.#runner.getClaim(job);
    const fetcher = this.#fetchers.get(claim?.kind ?? "");
    if (!claim || !fetcher) return [];
    const claims = await fetcher.takeMore(claim, limit, inTurn);
    return this.#runner.adopt(claim, claims);
  }

  nudge(kind: string): void {
    this.#fetchers.get(kind)?.nudge();
    this.transport.wake(kind);
  }

  work(
    kind: string,
    options: WorkOptions,
    handler: JobHandler,
    onPoison: PoisonHandler,
  ): void {
    const { maxInterruptions = 3 } = options;
    const worker = { maxInterruptions, handler, onPoison };
    this.#register({ kind, options, worker });
  }

  every(
    name: string,
    intervalMs: number,
    handler: (signal: AbortSignal) => Promise<void>,
  ): void {
    const kind = `${sweepPrefix}${name}`;
    this.#register({
      kind,
      options: { concurrency: 1 },
      worker: createSweepWorker(intervalMs, handler, this.ports.log),
      seed: { kind, rowId: name },
    });
  }

  async start(): Promise<void> {
    await this.ports.unitOfWork.run(async (tx) => {
      for (const { kind, options, seed } of this.#registrations) {
        if (seed) await this.table.seed(tx, seed);
        if (options.maxPerPartition !== undefined)
          await this.table.seed(tx, limitRow(kind));
      }
    });
    await this.transport.start(
      this.#registrations.map((registration) => this.#consume(registration)),
    );
  }

  async stop(graceMs: number): Promise<void> {
    const fetchers = [...this.#fetchers.values()];
    await Promise.all(fetchers.map((fetcher) => fetcher.close()));
    await this.transport.drain(graceMs);
    if (this.#running.size > 0) await this.#abortRuns();
    await this.#leases.release();
  }

  stats(): Promise<JobStats[]> {
    return this.table.readStats(this.ports.read);
  }

  #register(registration: Registration): void {
    const { kind } = registration;
    if (this.#registrations.some((other) => other.kind === kind))
      throw new PlatenError(
        "internal",
        `A worker for jobs of the kind "${kind}" is already registered.`,
      );
    this.#registrations.push(registration);
  }

  #consume({ kind, options, worker }: Registration) {
    const { concurrency, leaseMs = this.options.leaseMs } = options;
    const { maxPerPartition = Infinity } = options;
    const fetcher = new JobFetcher(this.ports, this.table, this.#leases, {
      ...this.options,
      ...options,
      kind,
      leaseMs,
      maxPerPartition,
      onDue: () => this.transport.wake(kind),
    });
    this.#fetchers.set(kind, fetcher);
    this.#leases.startRenewing(kind, leaseMs);
    const run = (claim: Claim) => this.#run(claim, worker);
    return { kind, concurrency, fetcher, run };
  }

  async #run(claim: Claim, worker: Worker): Promise<void> {
    const run = this.#runner.run(claim, worker);
    this.#running.add(run);
    await run;
    this.#running.delete(run);
  }

  async #abortRuns(): Promise<void> {
    this.#leases.abortAll(
      new PlatenError("unavailable", "The service is stopping."),
    );
    const timeout = new Promise((resolve) => {
      clock.limit(abortGraceMs, () => resolve(undefined)).unref();
    });
    await Promise.race([Promise.all(this.#running), timeout]);
  }
}

/** The worker of a job that is never done: it runs again `intervalMs` after its end, whether it succeeded or not. */
function createSweepWorker(
  intervalMs: number,
  handler: (signal: AbortSignal) => Promise<void>,
  log: Log,
): Worker {
  return {
    maxInterruptions: Infinity,
    handler: async ({ rowId, signal }) => {
      try {
        await handler(signal);
      } catch (error) {
        if (signal.aborted) throw error;
        log.error({ sweep: rowId, err: error }, "sweep failed");
      }
      return { again: clock.pause(intervalMs) };
    },
    onPoison: () => Promise.resolve(),
  };
}

interface Worker {
  maxInterruptions: number;
  handler: JobHandler;
  onPoison: PoisonHandler;
}

const maxBackoffMs = 60_000;

/** Runs the jobs that this node holds, and ends each one in the table. */
class JobRunner {
  readonly #claims = new WeakMap<RunningJob, Claim>();
  /** The jobs that share the slot of another one. */
  readonly #taken = new WeakMap<Claim, Claim[]>();
  readonly #completions: CompletionWriter;

  constructor(
    private readonly ports: QueuePorts,
    private readonly table: JobTable,
    private readonly leases: Leases,
  ) {
    this.#completions = new CompletionWriter(ports, table);
  }

  /** Never rejects: a job whose end cannot be written runs again when its lease ends. */
  async run(claim: Claim, worker: Worker): Promise<void> {
    try {
      await this.#run(claim, worker);
    } catch (error) {
      this.#logError(claim, error, "could not end a job");
    } finally {
      this.leases.drop(claim);
      await this.#releaseTaken(claim);
    }
  }

  getClaim(job: RunningJob): Claim | undefined {
    return this.#claims.get(job);
  }

  /** Has claims share the slot of a running job. */
  adopt(running: Claim, claims: readonly Claim[]): TakenJob[] {
    const existing = this.#taken.get(running) ?? [];
    this.#taken.set(running, [...existing, ...claims]);
    return claims.map((claim) => {
      const taken = this.#createJob(claim);
      return {
        job: taken,
        run: async (handler) => {
          if (!this.leases.isHeld(claim)) return;
          try {
            await this.#handle(claim, taken, () => handler(taken));
          } catch (error) {
            this.#logError(claim, error, "could not end a job");
          } finally {
            this.leases.drop(claim);
          }
        },
      };
    });
  }

  async #releaseTaken(claim: Claim): Promise<void> {
    const taken = this.#taken.get(claim) ?? [];
    await this.#release(claim.kind, taken).catch((error: unknown) =>
      this.#logError(claim, error, "could not release the jobs taken with it"),
    );
  }

  #createJob(claim: Claim): RunningJob {
    const { rowId, attempt } = claim;
    const signal = this.leases.getSignal(claim);
    const complete = (tx: EntityManager) => this.#complete(tx, [claim]);
    const job: RunningJob = { rowId, attempt, signal, complete };
    this.#claims.set(job, claim);
    return job;
  }

  #run(claim: Claim, worker: Worker): Promise<void> {
    const { handler, onPoison, maxInterruptions } = worker;
    const { rowId, attempt } = claim;
    const job = this.#createJob(claim);
    return this.#handle(claim, job, async () =>
      attempt > maxInterruptions ? onPoison(rowId, attempt - 1) : handler(job),
    );
  }

  async #handle(
    claim: Claim,
    { signal }: RunningJob,
    work: () => Promise<JobOutcome>,
  ): Promise<void> {
    try {
      const outcome = await work();
      if (outcome) await this.#postpone(claim, outcome.again, false);
      else if (this.leases.isHeld(claim)) {
        this.leases.drop(claim);
        await this.#completions.complete(claim);
      }
    } catch (error) {
      if (signal.aborted) return this.#release(claim.kind, [claim]);
      this.#logError(claim, error, "job failed");
      const delayMs = Math.min(1000 * 2 ** claim.attempt, maxBackoffMs);
      await this.#postpone(claim, clock.pause(delayMs), true);
    }
  }

  /** See `Queue.complete`. */
  async complete(
    tx: EntityManager,
    jobs: readonly RunningJob[],
  ): Promise<void> {
    const claims = jobs.flatMap((job) => this.#claims.get(job) ?? []);
    await this.#complete(tx, claims);
  }

  /** Also stops renewing the lease: either the job is gone, or the transaction fails and the job is postponed. */
  async #complete(tx: EntityManager, claims: readonly Claim[]): Promise<void> {
    const [first] = claims;
    if (!first) return;
    const held = await this.table.complete(tx, first.kind, claims);
    if (held < claims.length)
      throw new PlatenError(
        "conflict",
        `The lease of the ${first.kind} job ${claims.map(({ rowId }) => rowId).join(" or ")} was lost: another node has taken it, and this run's result is discarded.`,
      );
    for (const claim of claims) this.leases.drop(claim);
  }

  async #postpone(
    claim: Claim,
    delayMs: number,
    keepAttempts: boolean,
  ): Promise<void> {
    this.leases.drop(claim);
    await this.ports.unitOfWork.run((tx) =>
      this.table.postpone(tx, claim, delayMs, keepAttempts),
    );
  }

  /** This node did not start or aborted the runs, so these attempts do not count. */
  async #release(kind: string, claims: readonly Claim[]): Promise<void> {
    const held = claims.filter((claim) => this.leases.isHeld(claim));
    if (held.length === 0) return;
    for (const claim of held) this.leases.drop(claim);
    await this.ports.unitOfWork.run((tx) => this.table.release(tx, kind, held));
  }

  #logError({ kind, rowId, attempt }: Claim, error: unknown, what: string) {
    this.ports.log.error({ kind, rowId, attempt, err: error }, what);
  }
}

interface Completion {
  claim: Claim;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Deletes finished jobs: those that end while a transaction is in progress share the next one. */
class CompletionWriter {
  #waiting: Completion[] = [];
  #isWriting = false;

  constructor(
    private readonly ports: QueuePorts,
    private readonly table: JobTable,
  ) {}

  /** Resolves when the job is deleted, or held by another node. */
  complete(claim: Claim): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ claim, resolve, reject });
      if (!this.#isWriting) setImmediate(() => void this.#write());
    });
  }

  async #write(): Promise<void> {
    if (this.#isWriting || this.#waiting.length === 0) return;
    this.#isWriting = true;
    const completions = this.#waiting.splice(0);
    const claims = completions.map(({ claim }) => claim);
    try {
      await this.ports.unitOfWork.run(async (tx) => {
        for (const kind of new Set(claims.map((claim) => claim.kind))) {
          const ofKind = claims.filter((claim) => claim.kind === kind);
          await this.table.complete(tx, kind, ofKind);
        }
      });
      for (const { resolve } of completions) resolve();
    } catch (error) {
      for (const { reject } of completions) reject(error);
    }
    this.#isWriting = false;
    await this.#write();
  }
}
