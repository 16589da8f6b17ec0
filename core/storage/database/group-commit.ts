import type { EntityManager } from "typeorm";
import type { UnitOfWork } from "./transactions.js";

/** Writes all of `items` or rejects. @returns a result for each, in their order. */
type GroupWork<T, R> = (
  tx: EntityManager,
  items: readonly T[],
) => Promise<readonly R[]>;

interface GroupSize {
  /** How long the first item of a group waits for others, in milliseconds. */
  gatherMs: number;
  /** The size at which a group is written at once. */
  most: number;
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
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly work: GroupWork<T, R>,
    private readonly size: GroupSize,
  ) {}

  /** Resolves after the commit. Rejects with the error of `work` for this item. */
  run(item: T): Promise<R> {
    return new Promise((done, fail) => {
      this.#waiting.push({ item, done, fail });
      if (this.#waiting.length >= this.size.most) this.#flush();
      else this.#timer ??= setTimeout(() => this.#flush(), this.size.gatherMs);
    });
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#write(this.#waiting.splice(0));
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
