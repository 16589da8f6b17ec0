import {
  Agenda,
  type AgendaBackend,
  type Job,
  BaseNotificationChannel,
  type JobNotification,
  toJobId,
  type NotificationChannel,
  type JobId,
  type JobParameters,
  type JobRepository,
  type JobsResult,
} from "agenda";
import { type Log, PlatenError } from "../plugin-api/index.js";
import type { Claim } from "./job-table.js";

/** What is done when a wake-up of the kind arrives. */
export interface Station {
  kind: string;
  concurrency: number;
  /** Something may have become ready. */
  nudge(): void;
  /** The next job of this node; held from now on. */
  next(): Promise<Claim | undefined>;
  /** A job that was handed out and cannot start yet. */
  putBack(claim: Claim): void;
  run(claim: Claim): Promise<void>;
}

/** How many jobs of a kind may start now, on any node; counted no further than `limit`. */
export type CountReady = (kind: string, limit: number) => Promise<number>;

/** Brings wake-ups to the workers: Agenda, on the service's own database or on a server of its own. */
export interface Carrier {
  /** @throws PlatenError `unavailable` when its server cannot be reached. */
  start(stations: readonly Station[]): Promise<void>;
  /** Something of this kind may be ready. */
  wake(kind: string): void;
  /** Starts no more jobs, and waits for the running ones so long at most. */
  drain(graceMs: number): Promise<void>;
}

/** Agenda over the table `job` of the service's own database. */
export class OwnCarrier implements Carrier {
  readonly #channel = new WakeChannel();
  #agenda: Agenda | undefined;

  constructor(
    private readonly pollMs: number,
    private readonly log: Log,
  ) {}

  async start(stations: readonly Station[]): Promise<void> {
    const repository = new ClaimRepository();
    const agenda = new Agenda({
      backend: this.#backend(repository),
      processEvery: this.pollMs,
      maxConcurrency: stations.reduce(
        (sum, { concurrency }) => sum + concurrency,
        0,
      ),
    });
    agenda.on("error", (error: Error) =>
      this.log.error({ err: error }, "queue fault"),
    );
    for (const station of stations) this.#define(agenda, repository, station);
    await agenda.start();
    this.#agenda = agenda;
  }

  wake(kind: string): void {
    this.#channel.wake(kind);
  }

  async drain(graceMs: number): Promise<void> {
    await this.#agenda?.drain({ timeout: graceMs });
  }

  /** `lockLifetime` only sets how long a timer of Agenda outlives a job; see `farAhead`. */
  #define(agenda: Agenda, repository: ClaimRepository, station: Station): void {
    const { kind } = station;
    repository.serve(station);
    const options = { lockLifetime: 1 };
    defineKind(agenda, station, options, ({ attrs: { _id: id } }) =>
      station.run(repository.take(id)),
    );
    // Agenda itself fills a place that became free only at its next interval.
    agenda.on(`complete:${kind}`, () => this.wake(kind));
  }

  #backend(repository: ClaimRepository): AgendaBackend {
    return {
      name: "Platen",
      repository,
      notificationChannel: this.#channel,
      ownsConnection: false,
      connect: () => repository.connect(),
      disconnect: () => Promise.resolve(),
    };
  }
}

interface KindOptions {
  lockLifetime: number;
}

/** Has Agenda run a station's kind. It locks no more jobs than may start: by default it would lock the whole backlog. */
export function defineKind(
  agenda: Agenda,
  { kind, concurrency }: Station,
  options: KindOptions,
  run: (job: Job) => Promise<void>,
): void {
  const limits = { concurrency, lockLimit: concurrency, ...options };
  // It takes functions with a callback as well, which the linter takes this for.
  // oxlint-disable-next-line typescript/no-misused-promises
  agenda.define(kind, (job: Job) => run(job), limits);
}

/**
 * Has Agenda look for jobs of a kind at once, instead of at its next interval. What it publishes goes through the
 * `remote` channel to all processes, when there is one; what is woken stays in this process.
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
        timestamp: new Date(),
      });
  }
}

/** Agenda measures leases by the local clock, and counts them from here: so it never sees one end. Ours do the work. */
const farAhead = new Date(Date.UTC(9999, 0));

/**
 * What Agenda sees of the table: jobs that this node holds already. Their ends are written by whoever runs them, with
 * the token of the claim, so that what Agenda would save by itself, without a token, is not needed and not kept.
 */
class ClaimRepository implements JobRepository {
  readonly #stations = new Map<string, Station>();
  readonly #handedOut = new Map<string, Claim>();

  /** Adds a kind to hand jobs out of. */
  serve(station: Station): void {
    this.#stations.set(station.kind, station);
  }

  /** The claim behind one of Agenda's jobs; once. */
  take(id: JobId | undefined): Claim {
    const claim = this.#handedOut.get(id ?? "");
    if (!claim)
      throw new PlatenError("internal", "Agenda ran a job that nobody holds.");
    this.#handedOut.delete(id ?? "");
    return claim;
  }

  async connect(): Promise<void> {}

  async getNextJobToRun(kind: string): Promise<JobParameters | undefined> {
    const claim = await this.#stations.get(kind)?.next();
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

  /** Agenda hands back what it cannot start now. */
  async unlockJob({ _id }: JobParameters): Promise<void> {
    const claim = this.take(_id);
    this.#stations.get(claim.kind)?.putBack(claim);
  }

  /** Called when it stops: the leases give back all that is held. */
  async unlockJobs(): Promise<void> {}

  async saveJobState(): Promise<void> {}

  async getQueueSize(): Promise<number> {
    return this.#handedOut.size;
  }

  queryJobs = (): Promise<JobsResult> => refuse("queryJobs");
  getJobsOverview = (): Promise<never> => refuse("getJobsOverview");
  getDistinctJobNames = (): Promise<never> => refuse("getDistinctJobNames");
  getJobById = (): Promise<never> => refuse("getJobById");
  removeJobs = (): Promise<never> => refuse("removeJobs");
  saveJob = (): Promise<never> => refuse("saveJob");
  lockJob = (): Promise<never> => refuse("lockJob");
  disableJobs = (): Promise<never> => refuse("disableJobs");
  enableJobs = (): Promise<never> => refuse("enableJobs");
  purgeAllJobs = (): Promise<never> => refuse("purgeAllJobs");
}

/** Jobs are written by the queue alone, inside the transaction of the rows that they wake. */
function refuse(method: string): Promise<never> {
  return Promise.reject(
    new PlatenError(
      "internal",
      `The queue's backend does not offer ${method}: use Queue.enqueue and Queue.stats.`,
    ),
  );
}
