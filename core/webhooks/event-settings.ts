/** How deliveries are made. Times are in milliseconds. */
export interface EventSettings {
  /** The waits after the first, second … failed attempt: one more attempt than there are waits. */
  schedule: readonly number[];
  /** One attempt, from the look-up of the address to the end of the answer. */
  timeoutMs: number;
  /** How long `documents.completed` waits for its documents' deliveries at most. */
  maxHoldMs: number;
  /** An endpoint whose every attempt failed for so long is disabled. */
  disableAfterMs: number;
  /** How long a rotated secret goes on signing. */
  overlapMs: number;
  /** Attempts that this process makes at once. */
  concurrency: number;
  /** Attempts at one endpoint at once, over all processes. */
  perEndpoint: number;
  /** After how long the attempts of a process that died go to others. */
  leaseMs: number;
  /** How long ended deliveries, their attempts and events are kept. */
  retentionMs: number;
}
