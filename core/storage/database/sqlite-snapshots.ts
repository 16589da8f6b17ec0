import type { DataSource } from "typeorm";
import { NestingGuard } from "./nesting-guard.js";
import type { Work } from "./unit-of-work.js";

/**
 * A snapshot is a transaction, which all who share its connection would be in: so it has a connection of its own, and
 * one follows the other. They only read, of a file that lies here: none takes longer by waiting for the one before.
 */
export class SqliteSnapshots {
  readonly #guard = new NestingGuard("A snapshot");
  #last: Promise<unknown> = Promise.resolve();
  #reader: DataSource | null = null;

  /** @param connect opens a connection that nothing else uses; called for the first snapshot. */
  constructor(private readonly connect: () => Promise<DataSource>) {}

  run<T>(work: Work<T>): Promise<T> {
    return this.#guard.run(() => {
      const turn = this.#last.then(async () => {
        this.#reader ??= await this.connect();
        return this.#reader.transaction(work);
      });
      this.#last = turn.catch(() => undefined);
      return turn;
    });
  }

  /** Waits for those that run or wait, then closes the connection. */
  async close(): Promise<void> {
    await this.#last;
    await this.#reader?.destroy();
  }
}
