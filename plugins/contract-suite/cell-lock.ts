import pLimit, { type LimitFunction } from "p-limit";

/** Runs work on one cell after all earlier work on it, as the host does. */
export type CellLock = <T>(cell: string, work: () => Promise<T>) => Promise<T>;

/** A lock for each cell, in this process. */
export function cellLocks(): CellLock {
  const locks = new Map<string, LimitFunction>();
  return (cell, work) => {
    const lock = locks.get(cell) ?? pLimit(1);
    locks.set(cell, lock);
    return lock(work);
  };
}
