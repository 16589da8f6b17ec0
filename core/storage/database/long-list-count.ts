import { LRUCache } from "lru-cache";
import {
  type EntityManager,
  type EntityTarget,
  type FindOptionsWhere,
  LessThan,
  MoreThanOrEqual,
} from "typeorm";

export interface Counted<T> {
  where: FindOptionsWhere<T>;
  /** The property that says when a row was made. */
  newestBy: keyof T & string;
}

interface Settled {
  count: number;
  before: Date;
}

const minuteMs = 60_000;

/** Rows are written within a time-out of the moment that they bear, so what is older than this changes no more. */
const settlesMs = 10 * minuteMs;
/** Clocks differ and plans change: whatever the count missed, it is put right after this. */
const trustedMs = 30 * minuteMs;
/** A shorter list is counted as quickly as a part of it. */
const worthIt = 10_000;
const lists = 1000;

/**
 * Counts the rows of long lists that only grow. What was counted once is not counted again: a million index entries
 * take a tenth of a second, the newest few of them nothing.
 */
export class LongListCount {
  readonly #settled = new LRUCache<string, Settled>({
    max: lists,
    ttl: trustedMs,
  });

  /** @param least rows that are worth to be remembered. */
  constructor(private readonly least = worthIt) {}

  /** @param key names the list: one for each `where`. */
  async count<T extends object>(
    read: EntityManager,
    entity: EntityTarget<T>,
    { where, newestBy }: Counted<T>,
    key: string,
  ): Promise<number> {
    const rows = read.getRepository<T>(entity);
    const within = (time: unknown) =>
      rows.countBy({ ...where, [newestBy]: time });
    const known = this.#settled.get(key);
    const before = known?.before ?? new Date(Date.now() - settlesMs);
    const recent = await within(MoreThanOrEqual(before));
    if (known) return known.count + recent;
    const count = await within(LessThan(before));
    if (count >= this.least) this.#settled.set(key, { count, before });
    return count + recent;
  }
}
