/** Bounds of one call, waits and attempts included. */
export interface CallLimits {
  /** Default: 10 s for `check`, 20 s for what only looks, else 120 s. */
  timeoutMs?: number;
  /** Default 4; a call that writes, or sends mail, is never repeated as a whole. */
  attempts?: number;
  /** Ends the call early, as when its job is stopped. */
  signal?: AbortSignal;
}
