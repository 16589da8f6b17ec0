import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type DataSource, type EntityManager, QueryFailedError } from "typeorm";
import { clock } from "../../lib/clock.js";
import { findOwningOrganization } from "../../lib/event-loop.js";
import { FairQueue } from "../../lib/fair-queue.js";
import { PlatenError } from "../../plugin-api/index.js";

export type Work<T> = (tx: EntityManager) => Promise<T>;

/** Runs in the transaction that creates something: what it writes is committed with it. */
export type CreatedCallback<T> = (
  tx: EntityManager,
  created: T,
) => Promise<void>;

/** The only way to write: everything that `work` does through `tx` is committed together, or nothing of it. */
export interface UnitOfWork {
  /**
   * Runs `work` in a transaction. It may run more than once (deadlocks are retried), so it must have no effect outside
   * of `tx`. Must not be nested: pass `tx` on instead. Rejects with the error of `work`.
   */
  run<T>(work: Work<T>): Promise<T>;
}

/**
 * SQLite has one writer, and TypeORM one connection for all: without the queue, statements of one unit of work would
 * become part of the transaction of another and be rolled back with it.
 */
export class SqliteUnitOfWork implements UnitOfWork {
  readonly #queue = new SerialQueue("unit of work");

  constructor(private readonly dataSource: DataSource) {}

  run<T>(work: Work<T>): Promise<T> {
    return this.#queue.run(() => this.#transact(work));
  }

  /** Resolves when no unit of work runs or waits. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /**
   * TypeORM begins without a lock. An update of no row takes it before anything is read, so that the transaction cannot
   * fail half-way because another process wrote in between. Waits for other processes without blocking this one.
   */
  async #transact<T>(work: Work<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const orRollBack = async <R>(step: () => Promise<R>): Promise<R> => {
      try {
        return await step();
      } catch (error) {
        await runner.rollbackTransaction();
        throw error;
      }
    };
    await retryWhileBusy(async () => {
      await runner.startTransaction();
      await orRollBack(() =>
        runner.query("UPDATE organization SET id = id WHERE 0"),
      );
    });
    return orRollBack(async () => {
      const result = await work(runner.manager);
      await runner.commitTransaction();
      return result;
    });
  }
}

/**
 * Read transactions of a SQLite file. Everything on a connection is part of its transaction, so snapshots have their
 * own and run one after another, which costs no time since they read a local file.
 */
export class SqliteSnapshots {
  readonly #queue = new SerialQueue("snapshot");
  #reader: DataSource | null = null;

  /** @param connect opens a connection that nothing else uses; called for the first snapshot. */
  constructor(private readonly connect: () => Promise<DataSource>) {}

  run<T>(work: Work<T>): Promise<T> {
    return this.#queue.run(async () => {
      this.#reader ??= await this.connect();
      return this.#reader.transaction(work);
    });
  }

  /** Waits for running and waiting snapshots, then closes the connection. */
  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#reader?.destroy();
  }
}

const maxDeadlockAttempts = 8;

/** Units of work, or snapshots, depending on the isolation level. */
export class MysqlTransactions implements UnitOfWork {
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
    const transaction = this.#guard.run(() => this.#transact(work));
    this.#running.add(transaction);
    return transaction.finally(() => this.#running.delete(transaction));
  }

  /** Resolves when the running transactions have ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #transact<T>(work: Work<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.dataSource.transaction(this.isolation, work);
      } catch (error) {
        if (attempt === maxDeadlockAttempts || !isDeadlock(error)) throw error;
        await clock.sleep(Math.random() * 20 * attempt);
      }
    }
  }
}

/** Runs transactions one after another, those of organizations in turn: see `FairQueue`. */
class SerialQueue {
  readonly #guard: NestingGuard;
  readonly #turns: FairQueue;

  constructor(name: string) {
    this.#guard = new NestingGuard(name);
    this.#turns = new FairQueue(1, { what: `a ${name}`, areTurns: true });
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    const owner = findOwningOrganization();
    return this.#guard.run(() => this.#turns.run({ owner }, work));
  }

  idle(): Promise<void> {
    return this.#turns.idle();
  }
}

/** Rejects a transaction inside another one of its kind, which on SQLite would wait for itself forever. */
class NestingGuard {
  readonly #current = new AsyncLocalStorage<{ isOpen: boolean }>();

  constructor(private readonly name: string) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#current.getStore()?.isOpen)
      throw new PlatenError(
        "internal",
        `A ${this.name} must not start inside another ${this.name}: pass on the outer one's entity manager instead.`,
      );
    const transaction = { isOpen: true };
    try {
      return await this.#current.run(transaction, work);
    } finally {
      transaction.isOpen = false;
    }
  }
}

const maxBusyMs = 30_000;

/** Retries as long as another process holds SQLite's lock, for up to half a minute. */
export async function retryWhileBusy<T>(attempt: () => Promise<T>): Promise<T> {
  const end = clock.now() + maxBusyMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!/^SQLITE_(BUSY|LOCKED)/.test(getErrorCode(error))) throw error;
      if (clock.now() > end)
        throw new PlatenError(
          "unavailable",
          "The database file is locked by another program. Close that program, then try again.",
          { cause: error },
        );
      await clock.sleep(5 + Math.random() * 20);
      // Due timers run in a row: without a turn of the event loop, a lock holder in this process would starve.
      await nextTurn();
    }
  }
}

/** Whether the transaction lost against another one, so that retrying it can succeed. */
function isDeadlock(error: unknown): boolean {
  return ["ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT", "ER_CHECKREAD"].includes(
    getErrorCode(error),
  );
}

/** Whether a row with this unique value exists already. */
export function isDuplicate(error: unknown): boolean {
  return /^(ER_DUP_ENTRY|SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY))$/.test(
    getErrorCode(error),
  );
}

/** The database's own code of an error; empty when it has none. */
function getErrorCode(error: unknown): string {
  const cause: unknown =
    error instanceof QueryFailedError ? error.driverError : error;
  if (!(cause instanceof Error) || !("code" in cause)) return "";
  return typeof cause.code === "string" ? cause.code : "";
}

interface Entry<T, R> {
  item: T;
  done: (result: R) => void;
  fail: (error: unknown) => void;
}

/**
 * Writes that arrive close together share one unit of work, whose commit costs more than they do. When the group
 * fails, nothing is written and each item is retried alone, so that it fails only for its own reason.
 */
export class GroupCommit<T, R> {
  #waiting: Entry<T, R>[] = [];
  #isGathering = false;

  /**
   * @param work writes all of `items` or rejects; it returns a result for each, in their order
   * @param size `gatherMs`: how long the first item of a group waits for others, 0 for those of the same turn of the event
   * loop; `most`: the size at which a group is written at once; `isComplete`: whether no other can come before these are
   * written
   */
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly work: (
      tx: EntityManager,
      items: readonly T[],
    ) => Promise<readonly R[]>,
    private readonly size: {
      gatherMs: number;
      most: number;
      isComplete?: (waiting: number) => boolean;
    },
  ) {}

  /** Resolves after the commit. Rejects with the error of `work` for this item. */
  run(item: T): Promise<R> {
    return new Promise((done, fail) => {
      this.#waiting.push({ item, done, fail });
      const { length } = this.#waiting;
      const { most, isComplete } = this.size;
      if (length >= most || isComplete?.(length)) this.#flush();
      else if (!this.#isGathering) this.#gather();
    });
  }

  #gather(): void {
    this.#isGathering = true;
    const end = () => {
      this.#isGathering = false;
      this.#flush();
    };
    const { gatherMs } = this.size;
    if (gatherMs === 0) setImmediate(end);
    else clock.after(gatherMs, end);
  }

  #flush(): void {
    const entries = this.#waiting.splice(0);
    if (entries.length > 0) void this.#write(entries);
  }

  /** After a failed commit the rows may have been written, so it is not retried. */
  async #write(entries: readonly Entry<T, R>[]): Promise<void> {
    const items = entries.map(({ item }) => item);
    let hasCommitStarted = false;
    try {
      const results = await this.unitOfWork.run(async (tx) => {
        hasCommitStarted = false;
        const written = await this.work(tx, items);
        hasCommitStarted = true;
        return written;
      });
      // One for each item.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      entries.forEach(({ done }, index) => done(results[index] as R));
    } catch (error) {
      if (entries.length > 1 && !hasCommitStarted)
        for (const entry of entries) void this.#write([entry]);
      else for (const { fail } of entries) fail(error);
    }
  }
}
