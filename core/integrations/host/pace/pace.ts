/** How often requests may start. Times in milliseconds. */
export interface PaceLimits {
  /** Between two starts. */
  spacingMs: number;
  /** Starts within any minute. */
  maxPerMinute: number;
}

const minuteMs = 60_000;

/** When the next request may start. Starts are spread evenly: platforms count their seconds in other places than we. */
export class Pace {
  private nextAt = 0;
  private pausedUntil = 0;
  private starts: number[] = [];

  constructor(private readonly limits: PaceLimits) {}

  /** How long until one may start, from `now`. */
  waitMs(now: number): number {
    const { maxPerMinute } = this.limits;
    this.starts = this.starts.filter((at) => at > now - minuteMs);
    const [oldest = now] = this.starts;
    const freeAt = this.starts.length < maxPerMinute ? now : oldest + minuteMs;
    return Math.max(this.nextAt, this.pausedUntil, freeAt, now) - now;
  }

  started(now: number): void {
    this.nextAt = now + this.limits.spacingMs;
    if (Number.isFinite(this.limits.maxPerMinute)) this.starts.push(now);
  }

  /** Lets nothing start before. */
  pause(until: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, until);
  }
}
