import { PlatformError } from "../../../plugin-api/index.js";
import { Pace, type PaceLimits } from "./pace.js";
import { Turn, type TurnRequest } from "./turn.js";

export interface LaneLimits extends PaceLimits {
  maxInFlight: number;
}

/**
 * The requests that share one limit of a platform. Whoever has the least time left goes first, so that a person who
 * waits is not behind a batch; who has more comes to have the least in time.
 */
export class Lane {
  private readonly pace: Pace;
  private waiting: readonly Turn[] = [];
  private inFlight = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: LaneLimits) {
    this.pace = new Pace(limits);
  }

  /** Whether to forget it would change nothing. */
  get isIdle(): boolean {
    const isFree = this.waiting.length === 0 && this.inFlight === 0;
    return isFree && this.pace.waitMs(Date.now()) === 0;
  }

  /** Sends in its turn. @throws PlatformError `rate_limited` when no turn comes before its call ends. */
  async run<T>(request: TurnRequest, send: () => Promise<T>): Promise<T> {
    request.signal.throwIfAborted();
    const turn = new Turn(request, (left) => this.leave(left));
    const after = this.waiting.findIndex((one) => one.endsAt > turn.endsAt);
    const place = after === -1 ? this.waiting.length : after;
    this.waiting = this.waiting.toSpliced(place, 0, turn);
    this.advance();
    await turn.given;
    try {
      return await send();
    } finally {
      this.inFlight -= 1;
      this.advance();
    }
  }

  /** After a refusal: nothing starts for so long. */
  pause(milliseconds: number): void {
    this.pace.pause(Date.now() + milliseconds);
    this.advance();
  }

  private leave(turn: Turn): void {
    this.waiting = this.waiting.filter((one) => one !== turn);
  }

  /** Starts all that may start now, refuses those who wait in vain, and comes back for the next. */
  private advance(): void {
    clearTimeout(this.timer);
    while (this.inFlight < this.limits.maxInFlight) {
      const [next] = this.waiting;
      if (next === undefined) return;
      const now = Date.now();
      const wait = this.pace.waitMs(now);
      if (wait > 0 && now + wait < next.endsAt) {
        this.timer = setTimeout(() => this.advance(), wait);
        return;
      }
      this.leave(next);
      if (wait > 0) next.refuse(inVain(wait));
      else this.start(next, now);
    }
  }

  private start(turn: Turn, now: number): void {
    this.inFlight += 1;
    this.pace.started(now);
    turn.give();
  }
}

function inVain(milliseconds: number): PlatformError {
  const seconds = Math.ceil(milliseconds / 1000);
  return new PlatformError(
    "rate_limited",
    `it takes no more requests for ${seconds} s. Try again after that.`,
    { retryAfterMs: milliseconds },
  );
}
