import { AsyncLocalStorage } from "node:async_hooks";
import { PlatenError } from "../../plugin-api/index.js";

/** Refuses a unit of work inside another one, which on SQLite would wait for itself for ever; a snapshot likewise. */
export class NestingGuard {
  readonly #inside = new AsyncLocalStorage<{ isOpen: boolean }>();

  /** @param what is guarded, as errors name it. */
  constructor(private readonly what: string) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside.getStore()?.isOpen)
      throw new PlatenError(
        "internal",
        `${this.what} was begun inside another one: pass the outer one's entity manager on instead.`,
      );
    const unit = { isOpen: true };
    try {
      return await this.#inside.run(unit, work);
    } finally {
      unit.isOpen = false;
    }
  }
}
