import { Agenda, type AgendaBackend, type Job } from "agenda";
import type { Log } from "../../plugin-api/index.js";
import type { Claim } from "../table/claim.js";
import type { Carrier, CountReady, Station } from "./carrier.js";
import { connectBackend } from "./connect-backend.js";
import { defineKind } from "./define-kind.js";
import { WakeChannel } from "./wake-channel.js";

/** Wake-ups of one kind that wait on the server at most; each that finds a job passes itself on. */
const mostWaiting = 32;
/** After how long a dead node's wake-up goes to another. Short, as a timer of Agenda outlives each job by half of it. */
const wakeUpLeaseMs = 10_000;
/** Due by any clock: the nodes' clocks need not agree. */
const longAgo = new Date(0);

export interface ServerOptions {
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
