import type { EntityManager } from "typeorm";
import { type Log, PlatenError } from "../plugin-api/index.js";
import { DatabaseTransport, type Transport } from "./database-transport.js";
import { JobFetcher } from "./job-fetcher.js";
import { JobRunner, type Worker } from "./job-runner.js";
import { type Claim, JobTable, limitRow } from "./job-table.js";
import { Leases } from "./leases.js";
import type {
  JobHandler,
  JobStats,
  NewJob,
  PoisonHandler,
  Queue,
  QueuePorts,
  RunningJob,
  WorkOptions,
} from "./queue.js";
import { ServerTransport } from "./server-transport.js";

export interface QueueOptions {
  /** Name of this process in the rows that it holds. */
  node: string;
  /** How often this node polls for jobs that it was not woken for. Default 1 s. */
  pollMs?: number;
  /** A server that transports the wake-ups, `postgres://`; null: the service's own database. */
  serverUrl?: string | null;
}

/** A queue on the service's own database, whose rows are the truth whichever transport carries the wake-ups. */
export function createQueue(
  ports: QueuePorts,
  { node, pollMs = 1000, serverUrl = null }: QueueOptions,
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
  return new JobQueue(ports, table, transport, { node, pollMs, prefetch });
}

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
    await this.ports.write(async (tx) => {
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
    const { concurrency, leaseMs = 30_000 } = options;
    const { maxPerPartition = Infinity } = options;
    const fetcher = new JobFetcher(this.ports, this.table, this.#leases, {
      ...this.options,
      kind,
      concurrency,
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
      setTimeout(resolve, abortGraceMs).unref();
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
      return { again: intervalMs };
    },
    onPoison: () => Promise.resolve(),
  };
}
