import {
  Agenda,
  BaseNotificationChannel,
  type Job,
  type JobId,
  type JobNotification,
  type JobParameters,
  type JobRepository,
  type NotificationChannel,
  toJobId,
} from "agenda";
import { clock } from "../lib/clock.js";
import { type Log, PlatenError } from "../plugin-api/index.js";
import type { JobFetcher } from "./job-fetcher.js";
import type { Claim } from "./job-table.js";

/** What to do when a wake-up of a kind arrives: fetch a job and run it. */
export interface JobConsumer {
  kind: string;
  concurrency: number;
  fetcher: JobFetcher;
  run(claim: Claim): Promise<void>;
}

/** Carries wake-ups to the workers: Agenda, on the service's own database or on a server. */
export interface Transport {
  /** @throws PlatenError `unavailable` when its server cannot be reached. */
  start(consumers: readonly JobConsumer[]): Promise<void>;
  /** Something of this kind may be ready. */
  wake(kind: string): void;
  /** Starts no more jobs, and waits at most this long for the running ones. */
  drain(graceMs: number): Promise<void>;
}

/** Agenda over the table `job` of the service's own database. */
export class DatabaseTransport implements Transport {
  readonly #channel = new WakeChannel();
  #agenda: Agenda | undefined;

  constructor(
    private readonly pollMs: number,
    private readonly log: Log,
  ) {}

  async start(consumers: readonly JobConsumer[]): Promise<void> {
    const repository = new ClaimRepository(consumers);
    const agenda = new Agenda({
      backend: {
        name: "Platen",
        repository,
        notificationChannel: this.#channel,
        ownsConnection: false,
        connect: () => Promise.resolve(),
        disconnect: () => Promise.resolve(),
      },
      processEvery: this.pollMs,
      maxConcurrency: sumConcurrency(consumers),
    });
    agenda.on("error", (error: Error) =>
      this.log.error({ err: error }, "queue error"),
    );
    for (const consumer of consumers) {
      // Only sets how long one of Agenda's timers outlives a job; see `farAhead`.
      const lockLifetime = 1;
      defineKind(agenda, consumer, lockLifetime, ({ attrs: { _id: id } }) =>
        consumer.run(repository.take(id)),
      );
      // Agenda itself fills a free slot only at its next interval.
      agenda.on(`complete:${consumer.kind}`, () => this.wake(consumer.kind));
    }
    await agenda.start();
    this.#agenda = agenda;
  }

  wake(kind: string): void {
    this.#channel.wake(kind);
  }

  async drain(graceMs: number): Promise<void> {
    await this.#agenda?.drain({ timeout: graceMs });
  }
}

export function sumConcurrency(consumers: readonly JobConsumer[]): number {
  return consumers.reduce((sum, { concurrency }) => sum + concurrency, 0);
}

/** Has Agenda run a kind. It locks no more jobs than may start; by default it would lock the whole backlog. */
export function defineKind(
  agenda: Agenda,
  { kind, concurrency }: JobConsumer,
  lockLifetime: number,
  run: (job: Job) => Promise<void>,
): void {
  const limits = { concurrency, lockLimit: concurrency, lockLifetime };
  // `define` also accepts functions with a callback, and the linter assumes one here.
  // oxlint-disable-next-line typescript/no-misused-promises
  agenda.define(kind, (job: Job) => run(job), limits);
}

/**
 * Has Agenda look for jobs of a kind at once, instead of at its next interval. What it publishes goes through the
 * `remote` channel to all processes, when there is one; `wake` stays in this process.
 */
export class WakeChannel extends BaseNotificationChannel {
  readonly #kinds = new Set<string>();

  constructor(private readonly remote?: NotificationChannel) {
    super();
    remote?.subscribe((notification) => this.notifyHandlers(notification));
  }

  async connect(): Promise<void> {
    await this.remote?.connect();
    this.setState("connected");
  }

  async disconnect(): Promise<void> {
    this.handlers.clear();
    await this.remote?.disconnect();
    this.setState("disconnected");
  }

  async publish(notification: JobNotification): Promise<void> {
    if (this.remote) await this.remote.publish(notification);
    else await this.notifyHandlers(notification);
  }

  /** Many calls in one turn of the event loop are one. */
  wake(kind: string): void {
    if (this.#kinds.size === 0) setImmediate(() => this.#wakeAll());
    this.#kinds.add(kind);
  }

  #wakeAll(): void {
    const kinds = [...this.#kinds];
    this.#kinds.clear();
    for (const jobName of kinds)
      void this.notifyHandlers({
        jobId: toJobId(jobName),
        jobName,
        nextRunAt: null,
        priority: 0,
        timestamp: clock.date(),
      });
  }
}

/** Agenda checks leases against the local clock. With this time it never sees one end; `Leases` does that work. */
const farAhead = new Date(Date.UTC(9999, 0));

/**
 * What Agenda sees of the table: jobs that this node holds already. `JobRunner` writes their ends with the token of the
 * claim, so what Agenda would save by itself, without a token, is discarded.
 */
class ClaimRepository implements JobRepository {
  readonly #consumers: ReadonlyMap<string, JobConsumer>;
  readonly #handedOut = new Map<string, Claim>();

  constructor(consumers: readonly JobConsumer[]) {
    this.#consumers = new Map(
      consumers.map((consumer) => [consumer.kind, consumer]),
    );
  }

  /** The claim behind one of Agenda's jobs; once. */
  take(id: JobId | undefined): Claim {
    const claim = this.#handedOut.get(id ?? "");
    if (!claim)
      throw new PlatenError("internal", "Agenda ran a job that is not held.");
    this.#handedOut.delete(id ?? "");
    return claim;
  }

  async connect(): Promise<void> {}

  async getNextJobToRun(kind: string): Promise<JobParameters | undefined> {
    const claim = await this.#consumers.get(kind)?.fetcher.next();
    if (!claim) return undefined;
    const id = toJobId(`${claim.rowId} ${claim.token}`);
    this.#handedOut.set(id, claim);
    return {
      _id: id,
      name: kind,
      priority: 0,
      type: "normal",
      nextRunAt: null,
      lockedAt: farAhead,
      data: undefined,
    };
  }

  /** Agenda returns what it cannot start now. */
  async unlockJob({ _id }: JobParameters): Promise<void> {
    const claim = this.take(_id);
    this.#consumers.get(claim.kind)?.fetcher.requeue(claim);
  }

  /** Called when it stops; `Leases.release` releases all held jobs. */
  async unlockJobs(): Promise<void> {}

  async saveJobState(): Promise<void> {}

  async getQueueSize(): Promise<number> {
    return this.#handedOut.size;
  }

  queryJobs = rejectCall;
  getJobsOverview = rejectCall;
  getDistinctJobNames = rejectCall;
  getJobById = rejectCall;
  removeJobs = rejectCall;
  saveJob = rejectCall;
  lockJob = rejectCall;
  disableJobs = rejectCall;
  enableJobs = rejectCall;
  purgeAllJobs = rejectCall;
}

/** Only the queue writes jobs, in the transaction of the rows that they name. */
function rejectCall(): Promise<never> {
  return Promise.reject(
    new PlatenError(
      "internal",
      "The queue's backend only hands out claimed jobs. Use Queue.enqueue and Queue.stats.",
    ),
  );
}
