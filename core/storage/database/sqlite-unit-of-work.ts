import type { DataSource } from "typeorm";
import { NestingGuard } from "./nesting-guard.js";
import type { UnitOfWork, Work } from "./unit-of-work.js";
import { whileBusy } from "./while-busy.js";

/**
 * SQLite has one writer, and TypeORM one connection for all: without the queue, statements of one unit of work would
 * fall into the transaction of another, and its rollback would take them along.
 */
export class SqliteUnitOfWork implements UnitOfWork {
  readonly #guard = new NestingGuard("A unit of work");
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly dataSource: DataSource) {}

  run<T>(work: Work<T>): Promise<T> {
    return this.#guard.run(() => {
      const turn = this.#last.then(() => this.#transact(work));
      this.#last = turn.catch(() => undefined);
      return turn;
    });
  }

  /** Resolves when no unit of work runs or waits. */
  async idle(): Promise<void> {
    await this.#last;
  }

  async #transact<T>(work: Work<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    await this.#begin();
    try {
      const result = await work(runner.manager);
      await runner.commitTransaction();
      return result;
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    }
  }

  /**
   * TypeORM begins without a lock. A write that touches no row takes it before anything was read, so that the unit
   * can not fail half-way because another process wrote in between. Waits for other processes without blocking ours.
   */
  async #begin(): Promise<void> {
    const runner = this.dataSource.createQueryRunner();
    await whileBusy(async () => {
      await runner.startTransaction();
      try {
        await runner.query("UPDATE organization SET id = id WHERE 0");
      } catch (error) {
        await runner.rollbackTransaction();
        throw error;
      }
    });
  }
}
