/** Times in milliseconds. */
export interface EsignTimes {
  /** How long a single render waits for its request to be with the provider. */
  startWaitMs: number;
  /** Of one start. */
  startTimeoutMs: number;
  /** Before each further start that was refused for now; the last one again and again. */
  startDelaysMs: readonly number[];
  /**
   * After a start without an answer, the waits before the provider is asked whether it has the request. They are longer
   * in all than a start, so that none can be under way any more when it is sent anew.
   */
  findWaitsMs: readonly number[];
  /** How long a request that cannot be sent is tried. */
  giveUpMs: number;
  /** The shortest and the longest wait between two looks at a pending request. */
  pollMs: readonly [least: number, most: number];
  /** How long signed files are kept, and requests that have ended. */
  retentionMs: number;
}
