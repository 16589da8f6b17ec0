import { Agenda, type AgendaBackend, type Job } from "agenda";
import type { Pool } from "pg";
import { clock, type Timer } from "../lib/clock.js";
import { type Log, PlatenError } from "../plugin-api/index.js";
import {
  defineKind,
  type JobConsumer,
  sumConcurrency,
  type Transport,
  WakeChannel,
} from "./database-transport.js";
import type { Claim } from "./job-table.js";

/** The most wake-ups of one kind that wait on the server; each that finds a job creates the next one. */
const maxWaiting = 32;
/** After how long a dead node's wake-up goes to another. Short, as one of Agenda's timers outlives each job by half of it. */
const wakeUpLeaseMs = 10_000;
/** Due by any clock, since the nodes' clocks may disagree. */
const longAgo = new Date(0);
/** Any number that no other program on the server locks. */
const schemaLock = 7_526_143;

export interface ServerTransportOptions {
  /** `postgres://`. */
  url: string;
  pollMs: number;
  log: Log;
  /** How many jobs of a kind may start now, on any node; counted no further than `limit`. */
  countReady: (kind: string, limit: number) => Promise<number>;
}

/**
 * Agenda over a PostgreSQL server. A wake-up there says that a job of its kind is ready, not which: the node that takes
 * it claims the next one from the table `job`, in its order and within its limits. So a wake-up is worth nothing once
 * its job is done, and each poll of the table replaces lost ones.
 */
export class ServerTransport implements Transport {
  #agenda: Agenda | undefined;
  #poll: Timer | undefined;
  readonly #relays = new Map<string, Promise<void>>();
  readonly #waiting = new Set<string>();
  /** Only wake-ups that found a job create another, or they would circle around jobs at their limit. */
  readonly #foundJob = new WeakSet<Job>();
  #channel: WakeChannel | undefined;

  constructor(private readonly options: ServerTransportOptions) {}

  async start(consumers: readonly JobConsumer[]): Promise<void> {
    const { url, log, pollMs } = this.options;
    const backend = await connect(url, log);
    this.#channel = new WakeChannel(backend.notificationChannel);
    const agenda = new Agenda({
      backend,
      processEvery: pollMs,
      maxConcurrency: sumConcurrency(consumers),
      notificationChannel: this.#channel,
    });
    agenda.on("error", (error: Error) => {
      // While it stops, polls in progress find the connections closed.
      if (this.#agenda) log.warn({ err: error }, "queue server error");
    });
    for (const consumer of consumers) this.#define(agenda, consumer);
    await agenda.start();
    this.#agenda = agenda;
    const wakeAll = () => consumers.forEach(({ kind }) => this.wake(kind));
    wakeAll();
    this.#poll = clock.watch(pollMs, wakeAll);
  }

  /** Relays one kind once at a time; calls meanwhile lead to one more relay after it. */
  wake(kind: string): void {
    const before = this.#relays.get(kind) ?? Promise.resolve();
    if (this.#waiting.has(kind)) return;
    this.#waiting.add(kind);
    const relay = before
      .then(() => {
        this.#waiting.delete(kind);
        return this.#relay(kind);
      })
      .catch((error: unknown) =>
        this.options.log.warn({ kind, err: error }, "could not relay wake-ups"),
      );
    this.#relays.set(kind, relay);
  }

  async drain(graceMs: number): Promise<void> {
    this.#poll?.cancel();
    const agenda = this.#agenda;
    this.#agenda = undefined;
    await Promise.all(this.#relays.values());
    await agenda?.drain({ timeout: graceMs });
  }

  /** Puts as many wake-ups on the server as jobs are ready, up to a limit. */
  async #relay(kind: string): Promise<void> {
    const agenda = this.#agenda;
    const ready = await this.options.countReady(kind, maxWaiting);
    if (!agenda || ready === 0) return;
    const { total } = await agenda.queryJobs({ name: kind, state: "queued" });
    for (let waiting = total; waiting < ready; waiting += 1)
      await agenda.create(kind, {}).schedule(longAgo).save();
  }

  #define(agenda: Agenda, consumer: JobConsumer): void {
    const { kind, fetcher } = consumer;
    defineKind(agenda, consumer, wakeUpLeaseMs, async (job) => {
      try {
        fetcher.nudge();
        const claim = await fetcher.next();
        if (claim) await this.#run(consumer, job, claim);
      } finally {
        // Agenda removes it only after it has announced the end, when `#relay` would still count it.
        await job.remove();
      }
    });
    agenda.on(`complete:${kind}`, (job: Job) => {
      // Agenda itself fills a free slot only at its next interval.
      this.#channel?.wake(kind);
      if (this.#foundJob.has(job)) this.wake(kind);
    });
  }

  async #run(consumer: JobConsumer, job: Job, claim: Claim): Promise<void> {
    this.#foundJob.add(job);
    this.wake(consumer.kind);
    const renewal = clock.watch(wakeUpLeaseMs / 3, () => {
      job
        .touch()
        .catch((error: unknown) =>
          this.options.log.debug({ err: error }, "could not renew a wake-up"),
        );
    });
    await consumer.run(claim).finally(() => renewal.cancel());
  }
}

/**
 * Connects Agenda's official PostgreSQL backend. Agenda would connect in its constructor, which cannot report a failure.
 * @throws PlatenError `unavailable`.
 */
async function connect(url: string, log: Log): Promise<AgendaBackend> {
  const { host } = new URL(url);
  try {
    const [{ PostgresBackend }, pg] = await Promise.all([
      import("@agendajs/postgres-backend"),
      import("pg"),
    ]);
    // With its own pool, an idle connection that the server drops would end the process.
    const pool = new pg.Pool({ connectionString: url });
    pool.on("error", (error) =>
      log.warn({ err: error }, "queue server connection lost"),
    );
    const backend = new PostgresBackend({ pool, tableName: "platen_wake_up" });
    await withSchemaLock(pool, () => backend.connect());
    return {
      name: backend.name,
      repository: backend.repository,
      notificationChannel: backend.notificationChannel,
      ownsConnection: true,
      connect: () => Promise.resolve(),
      disconnect: async () => {
        await backend.disconnect();
        await pool.end();
      },
    };
  } catch (cause) {
    throw new PlatenError(
      "unavailable",
      `Could not use the queue server ${host}. Check PLATEN_QUEUE_URL, that the server runs, and that the account may create tables.`,
      { cause },
    );
  }
}

/** PostgreSQL fails when two processes create the same table at once, even with `IF NOT EXISTS`. */
async function withSchemaLock(
  pool: Pool,
  work: () => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [schemaLock]);
    await work();
    await client.query("SELECT pg_advisory_unlock($1)", [schemaLock]);
  } finally {
    client.release(true);
  }
}
