import { AsyncLocalStorage } from "node:async_hooks";
import { PlatenError } from "../contract/index.js";

/** Refuses a unit of work inside another one, which on SQLite would wait for itself for ever. */
export class NestingGuard {
  readonly #inside = new AsyncLocalStorage<{ isOpen: boolean }>();

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside.getStore()?.isOpen)
      throw new PlatenError(
        "internal",
        "A unit of work was begun inside another one: pass the outer one's transaction on instead.",
      );
    const unit = { isOpen: true };
    try {
      return await this.#inside.run(unit, work);
    } finally {
      unit.isOpen = false;
    }
  }
}
