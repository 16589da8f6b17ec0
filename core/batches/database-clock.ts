import { databaseNow, type Store } from "../storage/database/index.js";

const readEveryMs = 30_000;

/** The database's time, by which documents expire: a machine whose own clock is wrong must not end them early. */
export class DatabaseClock {
  #aheadMs = 0;
  #readAt: number | null = null;

  constructor(private readonly store: Pick<Store, "read">) {}

  async now(): Promise<Date> {
    if (this.#isOld) await this.#read();
    return new Date(Date.now() + this.#aheadMs);
  }

  get #isOld(): boolean {
    return (
      this.#readAt === null || performance.now() - this.#readAt > readEveryMs
    );
  }

  async #read(): Promise<void> {
    const now = await databaseNow(this.store.read);
    this.#aheadMs = now.getTime() - Date.now();
    this.#readAt = performance.now();
  }
}
