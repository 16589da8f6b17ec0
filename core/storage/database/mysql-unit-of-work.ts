import { setTimeout as pause } from "node:timers/promises";
import type { DataSource } from "typeorm";
import { isDeadlock } from "./faults.js";
import { NestingGuard } from "./nesting-guard.js";
import type { UnitOfWork, Work } from "./unit-of-work.js";

const deadlockLimit = 8;

/** Units of work, or snapshots: what a transaction sees depends on its isolation. */
export class MysqlUnitOfWork implements UnitOfWork {
  readonly #guard: NestingGuard;
  readonly #running = new Set<Promise<unknown>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly isolation: "READ COMMITTED" | "REPEATABLE READ",
    name: string,
  ) {
    this.#guard = new NestingGuard(name);
  }

  run<T>(work: Work<T>): Promise<T> {
    const unit = this.#guard.run(() => this.#transact(work));
    this.#running.add(unit);
    return unit.finally(() => this.#running.delete(unit));
  }

  /** Resolves when the units of work that run now have ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #transact<T>(work: Work<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.dataSource.transaction(this.isolation, work);
      } catch (error) {
        if (attempt === deadlockLimit || !isDeadlock(error)) throw error;
        await pause(Math.random() * 20 * attempt);
      }
    }
  }
}
