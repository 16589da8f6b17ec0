/** How much one document may become; past it the merge fails, in bounded time and memory. */
export interface MergeLimits {
  /** Bytes of the merged html. */
  htmlBytes: number;
  /** Rounds of all its loops together. */
  iterations: number;
}

export const MERGE_LIMITS: MergeLimits = {
  htmlBytes: 32 * 1024 * 1024,
  iterations: 200_000,
};
