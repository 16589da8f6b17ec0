import { Agenda, type AgendaBackend } from "agenda";
import type { Log } from "../../plugin-api/index.js";
import type { Carrier, Station } from "./carrier.js";
import { ClaimRepository } from "./claim-repository.js";
import { defineKind } from "./define-kind.js";
import { WakeChannel } from "./wake-channel.js";

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
