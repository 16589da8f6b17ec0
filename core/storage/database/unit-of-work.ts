import type { EntityManager } from "typeorm";

export type Work<T> = (tx: EntityManager) => Promise<T>;

/** The one way to write: everything that `work` does through `tx` becomes true together, or nothing of it. */
export interface UnitOfWork {
  /**
   * Runs `work` in a transaction. It may run more than once (a deadlock is tried again), so it must have no effect
   * outside of `tx`. Not to be nested: pass `tx` on instead. Rejects with what `work` rejected with.
   */
  run<T>(work: Work<T>): Promise<T>;
}
