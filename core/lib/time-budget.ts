// A time budget for synchronous work on the thread that answers requests. Whatever loops over input of a caller checks
// the budget, so that work which takes long is given up there and done again in a worker thread (see core/compute).
// Synchronous work cannot interleave, so one variable is enough.

interface Budget {
  milliseconds: number;
  /** The processor time that the thread had used when the work began. */
  usedBefore: number;
  /** Before this time, it is not used up. */
  endsAt: number;
}

/** Of the work in progress; null for work that may take any time. */
let budget: Budget | null = null;

/** Thrown through the work that used up its budget. No PlatenError, so that nothing takes it for a problem of the input. */
export class BudgetExceeded extends Error {
  override readonly name = "BudgetExceeded";
}

/**
 * Runs `work`, which ends early when it takes longer, or expects to. On a busy machine, only the time of the processor
 * counts. Work inside of such work shares its budget.
 * @returns null when the budget was not enough
 */
export function runWithBudget<T>(
  milliseconds: number,
  work: () => T,
): { value: T } | null {
  if (budget !== null) return { value: work() };
  const endsAt = performance.now() + milliseconds;
  budget = { milliseconds, usedBefore: getProcessorTime(), endsAt };
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof BudgetExceeded) return null;
    throw error;
  } finally {
    budget = null;
  }
}

/**
 * To be called in loops over input, and before a step that cannot be interrupted.
 * @param expectedMs how long that step takes at most
 */
export function checkBudget(expectedMs = 0): void {
  if (budget === null) return;
  const now = performance.now();
  if (now + expectedMs <= budget.endsAt) return;
  const used = getProcessorTime() - budget.usedBefore;
  const left = budget.milliseconds - used;
  // False as well when the time of the processor is not known.
  const isEnough = left > 0 && left >= expectedMs;
  if (!isEnough) throw new BudgetExceeded();
  budget.endsAt = now + left;
}

/** In milliseconds; NaN before Node 22.19, which cannot tell. */
function getProcessorTime(): number {
  if (!("threadCpuUsage" in process)) return Number.NaN;
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
