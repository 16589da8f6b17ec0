// A time budget for synchronous work on the thread that answers requests. Whatever loops over input of a caller checks
// the budget, so that work which takes long is given up there and done again in a worker thread (see core/compute).
// Synchronous work cannot interleave, so one variable is enough.

/** When the work in progress must have ended; work without a budget never has to. */
let endsAt = Number.POSITIVE_INFINITY;

/** Thrown through the work that used up its budget. No PlatenError, so that nothing takes it for a problem of the input. */
export class BudgetExceeded extends Error {
  override readonly name = "BudgetExceeded";
}

/**
 * Runs `work`, which ends early when it takes longer, or expects to.
 * @returns null when the budget was not enough
 */
export function runWithBudget<T>(
  milliseconds: number,
  work: () => T,
): { value: T } | null {
  const outer = endsAt;
  endsAt = Math.min(outer, performance.now() + milliseconds);
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof BudgetExceeded && outer === Number.POSITIVE_INFINITY)
      return null;
    throw error;
  } finally {
    endsAt = outer;
  }
}

/**
 * To be called in loops over input, and before a step that cannot be interrupted.
 * @param expectedMs how long that step takes at most
 */
export function checkBudget(expectedMs = 0): void {
  if (endsAt === Number.POSITIVE_INFINITY) return;
  if (performance.now() + expectedMs > endsAt) throw new BudgetExceeded();
}
