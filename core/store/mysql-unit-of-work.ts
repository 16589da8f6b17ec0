import { setTimeout as pause } from "node:timers/promises";
import type { DataSource } from "typeorm";
import { isDeadlock } from "./faults.js";
import { NestingGuard } from "./nesting-guard.js";
import type { UnitOfWork, Work } from "./unit-of-work.js";

const deadlockLimit = 8;

export class MysqlUnitOfWork implements UnitOfWork {
  readonly #guard = new NestingGuard();
  readonly #running = new Set<Promise<unknown>>();

  constructor(private readonly dataSource: DataSource) {}

  run<T>(work: Work<T>): Promise<T> {
    const unit = this.#guard.run(() => this.#transact(work));
    const ended = unit.then(nothing, nothing).then(() => {
      this.#running.delete(ended);
    });
    this.#running.add(ended);
    return unit;
  }

  /** Resolves when the units of work that run now have ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #transact<T>(work: Work<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.dataSource.transaction("READ COMMITTED", work);
      } catch (error) {
        if (attempt === deadlockLimit || !isDeadlock(error)) throw error;
        await pause(Math.random() * 20 * attempt);
      }
    }
  }
}

function nothing(): void {}
