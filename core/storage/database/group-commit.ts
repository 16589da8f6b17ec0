import type { EntityManager } from "typeorm";
import type { UnitOfWork } from "./unit-of-work.js";

/** Writes all of `items` or rejects. @returns a result for each, in their order. */
export type GroupWork<T, R> = (
  tx: EntityManager,
  items: readonly T[],
) => Promise<readonly R[]>;

export interface GroupSize {
  /** How long the first of a group waits for others, in milliseconds. */
  gatherMs: number;
  /** So many do not wait. */
  most: number;
}

interface Entry<T, R> {
  item: T;
  done: (result: R) => void;
  fail: (error: unknown) => void;
}

/**
 * Writes that come close together share one unit of work, since it costs more than they do. When one of them rejects,
 * nothing is written, and each is tried again alone, so that it fails for a reason of its own.
 */
export class GroupCommit<T, R> {
  #waiting: Entry<T, R>[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly work: GroupWork<T, R>,
    private readonly size: GroupSize,
  ) {}

  /** Resolves after the commit. Rejects with what `work` rejected with for this item alone. */
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

  /** What failed at its very commit may have been written: it is not tried again. */
  async #write(entries: readonly Entry<T, R>[]): Promise<void> {
    const items = entries.map(({ item }) => item);
    let isInDoubt = false;
    try {
      const results = await this.unitOfWork.run(async (tx) => {
        isInDoubt = false;
        const written = await this.work(tx, items);
        isInDoubt = true;
        return written;
      });
      // One for each item.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      entries.forEach(({ done }, index) => done(results[index] as R));
    } catch (error) {
      if (entries.length > 1 && !isInDoubt)
        for (const entry of entries) void this.#write([entry]);
      else for (const { fail } of entries) fail(error);
    }
  }
}
