import { Agenda, type AgendaBackend, type Job } from "agenda";
import type { Pool } from "pg";
import { type Log, PlatenError } from "../plugin-api/index.js";
import {
  type Carrier,
  type CountReady,
  type Station,
  defineKind,
  WakeChannel,
} from "./database-transport.js";
import type { Claim } from "./job-table.js";

/** Wake-ups of one kind that wait on the server at most; each that finds a job passes itself on. */
const mostWaiting = 32;
/** After how long a dead node's wake-up goes to another. Short, as a timer of Agenda outlives each job by half of it. */
const wakeUpLeaseMs = 10_000;
/** Due by any clock: the nodes' clocks need not agree. */
const longAgo = new Date(0);

interface ServerOptions {
  /** `postgres://`. */
  url: string;
  pollMs: number;
  log: Log;
  countReady: CountReady;
}

/**
 * Agenda over a server of its own. A wake-up there says that a job of its kind is ready, not which: the node that
 * takes it claims the next one from the table `job`, in its order and within its limits. So no wake-up is worth
 * anything once its job is done, and each poll of the table replaces what was lost.
 */
export class ServerCarrier implements Carrier {
  #agenda: Agenda | undefined;
  #poll: NodeJS.Timeout | undefined;
  readonly #relays = new Map<string, Promise<void>>();
  readonly #waiting = new Set<string>();
  /** Those that found a job pass themselves on; the others end, or they would circle around jobs at their limit. */
  readonly #fruitful = new WeakSet<Job>();
  #channel: WakeChannel | undefined;

  constructor(private readonly options: ServerOptions) {}

  async start(stations: readonly Station[]): Promise<void> {
    const backend = await connectBackend(this.options.url, this.options.log);
    this.#channel = new WakeChannel(backend.notificationChannel);
    const agenda = this.#agendaOn(backend, this.#channel, stations);
    for (const station of stations) this.#define(agenda, station);
    await agenda.start();
    this.#agenda = agenda;
    for (const { kind } of stations) this.wake(kind);
    this.#poll = setInterval(() => {
      for (const { kind } of stations) this.wake(kind);
    }, this.options.pollMs);
  }

  /** One relay of a kind at a time; what is asked for meanwhile is done after it. */
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
        this.options.log.warn({ kind, err: error }, "wake-ups not relayed"),
      );
    this.#relays.set(kind, relay);
  }

  async drain(graceMs: number): Promise<void> {
    clearInterval(this.#poll);
    const agenda = this.#agenda;
    this.#agenda = undefined;
    await Promise.all(this.#relays.values());
    await agenda?.drain({ timeout: graceMs });
  }

  /** Puts as many wake-ups on the server as jobs are ready, up to a limit. */
  async #relay(kind: string): Promise<void> {
    const agenda = this.#agenda;
    const ready = await this.options.countReady(kind, mostWaiting);
    if (!agenda || ready === 0) return;
    const { total } = await agenda.queryJobs({ name: kind, state: "queued" });
    for (let waiting = total; waiting < ready; waiting += 1)
      await agenda.create(kind, {}).schedule(longAgo).save();
  }

  #define(agenda: Agenda, station: Station): void {
    const { kind } = station;
    const options = { lockLifetime: wakeUpLeaseMs };
    defineKind(agenda, station, options, (job) => this.#answer(station, job));
    agenda.on(`complete:${kind}`, (job: Job) => {
      // Agenda itself fills a place that became free only at its next interval.
      this.#channel?.wake(kind);
      if (this.#fruitful.has(job)) this.wake(kind);
    });
  }

  /** The wake-up is removed here: Agenda does so itself only before it frees the place, after it told of the end. */
  async #answer(station: Station, job: Job): Promise<void> {
    try {
      station.nudge();
      const claim = await station.next();
      if (claim) await this.#work(station, job, claim);
    } finally {
      await job.remove();
    }
  }

  async #work(station: Station, job: Job, claim: Claim): Promise<void> {
    this.#fruitful.add(job);
    this.wake(station.kind);
    const touch = setInterval(() => {
      job
        .touch()
        .catch((error: unknown) =>
          this.options.log.debug({ err: error }, "wake-up not prolonged"),
        );
    }, wakeUpLeaseMs / 3);
    await station.run(claim).finally(() => clearInterval(touch));
  }

  #agendaOn(
    backend: AgendaBackend,
    notificationChannel: WakeChannel,
    stations: readonly Station[],
  ): Agenda {
    const agenda = new Agenda({
      backend,
      processEvery: this.options.pollMs,
      maxConcurrency: stations.reduce(
        (sum, { concurrency }) => sum + concurrency,
        0,
      ),
      notificationChannel,
    });
    agenda.on("error", (error: Error) => {
      // While it stops, looks that are under way find the connections closed.
      if (this.#agenda)
        this.options.log.warn({ err: error }, "queue server fault");
    });
    return agenda;
  }
}

/**
 * Connects Agenda's official PostgreSQL backend.
 * @throws PlatenError `unavailable`, with what to look at.
 */
async function connectBackend(url: string, log: Log): Promise<AgendaBackend> {
  const { host } = new URL(url);
  try {
    const backend = await postgres(url, log);
    await backend.connect();
    return connected(backend);
  } catch (cause) {
    throw new PlatenError(
      "unavailable",
      `The queue server ${host} cannot be used. Check PLATEN_QUEUE_URL, and that the server runs and the account may create tables.`,
      { cause },
    );
  }
}

/** Agenda connects in its constructor, where nobody could hear of a failure. */
function connected(backend: AgendaBackend): AgendaBackend {
  return {
    name: backend.name,
    repository: backend.repository,
    notificationChannel: backend.notificationChannel,
    ownsConnection: true,
    connect: () => Promise.resolve(),
    disconnect: () => backend.disconnect(),
  };
}

/** With a pool of ours: an idle connection that the server drops would otherwise end the process. */
async function postgres(url: string, log: Log): Promise<AgendaBackend> {
  const [{ PostgresBackend }, pg] = await Promise.all([
    import("@agendajs/postgres-backend"),
    import("pg"),
  ]);
  const pool = new pg.Pool({ connectionString: url });
  pool.on("error", (error) =>
    log.warn({ err: error }, "queue server connection lost"),
  );
  const backend = new PostgresBackend({ pool, tableName: "platen_wake_up" });
  return {
    name: backend.name,
    repository: backend.repository,
    // It comes into being with the connection.
    get notificationChannel() {
      return backend.notificationChannel;
    },
    connect: () => inTurn(pool, () => backend.connect()),
    disconnect: async () => {
      await backend.disconnect();
      await pool.end();
    },
  };
}

/** Any number that no other program on the database locks. */
const schemaLock = 7_526_143;

/** PostgreSQL fails when two processes create the same table at once, even `IF NOT EXISTS`. */
async function inTurn(pool: Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [schemaLock]);
    await work();
    await client.query("SELECT pg_advisory_unlock($1)", [schemaLock]);
  } finally {
    client.release(true);
  }
}
