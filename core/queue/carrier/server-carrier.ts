import { Agenda, type AgendaBackend, type Job } from "agenda";
import type { Log } from "../../contract/index.js";
import type { Carrier, Station } from "./carrier.js";
import { connectBackend } from "./connect-backend.js";
import { defineKind } from "./define-kind.js";
import { WakeChannel } from "./wake-channel.js";

/** Wake-ups of one kind that wait on the server at most; each that finds a job passes itself on. */
const mostWaiting = 32;
/** Due by any clock: the nodes' clocks need not agree. */
const longAgo = new Date(0);

/**
 * Agenda over a server of its own. A wake-up there says that a job of its kind is ready, not which: the node that
 * takes it claims the next one from the table `job`, in its order and within its limits. So no wake-up is worth
 * anything once its job is done, and each poll of the table replaces what was lost.
 */
export class ServerCarrier implements Carrier {
  #agenda: Agenda | undefined;
  #poll: NodeJS.Timeout | undefined;
  readonly #stations = new Map<string, Station>();
  readonly #relays = new Map<string, Promise<void>>();
  readonly #waiting = new Set<string>();

  constructor(
    private readonly url: string,
    private readonly pollMs: number,
    private readonly log: Log,
  ) {}

  async start(stations: readonly Station[]): Promise<void> {
    const backend = await connectBackend(this.url, this.log);
    const agenda = this.#agendaOn(backend, stations);
    for (const station of stations) this.#define(agenda, station);
    await agenda.start();
    this.#agenda = agenda;
    for (const { kind } of stations) this.wake(kind);
    this.#poll = setInterval(() => {
      for (const { kind } of stations) this.wake(kind);
    }, this.pollMs);
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
        this.log.warn({ kind, err: error }, "wake-ups not relayed"),
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
    const ready = await this.#stations.get(kind)?.readyUpTo(mostWaiting);
    if (!agenda || !ready) return;
    const { total } = await agenda.queryJobs({ name: kind, state: "queued" });
    for (let waiting = total; waiting < ready; waiting += 1)
      await agenda.create(kind, {}).schedule(longAgo).save();
  }

  #define(agenda: Agenda, station: Station): void {
    const { kind, leaseMs } = station;
    this.#stations.set(kind, station);
    const options = { lockLifetime: leaseMs, removeOnComplete: true };
    defineKind(agenda, station, options, (job) => this.#answer(station, job));
    agenda.on(`complete:${kind}`, (_job: unknown, isRemote?: boolean) => {
      if (!isRemote) this.wake(kind);
    });
  }

  async #answer(station: Station, job: Job): Promise<void> {
    station.nudge();
    const claim = await station.next();
    if (!claim) return;
    this.wake(station.kind);
    const touch = setInterval(() => {
      job
        .touch()
        .catch((error: unknown) =>
          this.log.debug({ err: error }, "wake-up not prolonged"),
        );
    }, station.leaseMs / 3);
    await station.run(claim).finally(() => clearInterval(touch));
  }

  #agendaOn(backend: AgendaBackend, stations: readonly Station[]): Agenda {
    const agenda = new Agenda({
      backend,
      processEvery: this.pollMs,
      maxConcurrency: stations.reduce(
        (sum, { concurrency }) => sum + concurrency,
        0,
      ),
      // MongoDB tells nobody of a new job: this node at least knows its own.
      notificationChannel: backend.notificationChannel ?? new WakeChannel(),
    });
    agenda.on("error", (error: Error) =>
      this.log.warn({ err: error }, "queue server fault"),
    );
    return agenda;
  }
}
