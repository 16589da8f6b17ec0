/**
 * The time that one call has, with all its attempts. Keeps nothing once it has ended: a job's signal outlives thousands
 * of calls.
 */
export class CallTime {
  /** By the clock of `Date.now`. */
  readonly endsAt: number;
  /** Aborted when the time is over, or the call is stopped. */
  readonly signal: AbortSignal;
  private readonly timer: NodeJS.Timeout;
  private readonly listening = new AbortController();

  constructor(milliseconds: number, stop?: AbortSignal) {
    const over = new AbortController();
    this.endsAt = Date.now() + milliseconds;
    this.signal = over.signal;
    this.timer = setTimeout(() => over.abort(), milliseconds);
    if (stop?.aborted) over.abort();
    const { signal } = this.listening;
    stop?.addEventListener("abort", () => over.abort(), { signal });
  }

  get remainingMs(): number {
    return Math.max(0, this.endsAt - Date.now());
  }

  end(): void {
    clearTimeout(this.timer);
    this.listening.abort();
  }
}
