/** Whose turn it is to be, and until when it is of use. */
export interface TurnRequest {
  /** When its call ends, by the clock of `Date.now`. */
  endsAt: number;
  signal: AbortSignal;
}

/** A place in a lane: given, refused, or left when its call is ended. */
export class Turn {
  readonly endsAt: number;
  /** Resolves when it is given. */
  readonly given: Promise<void>;
  private readonly end = new AbortController();
  private resolve: () => void = () => undefined;
  private reject: (reason: unknown) => void = () => undefined;

  constructor({ endsAt, signal }: TurnRequest, left: (turn: Turn) => void) {
    this.endsAt = endsAt;
    this.given = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    const leave = () => {
      left(this);
      this.reject(signal.reason);
    };
    const options = { once: true, signal: this.end.signal };
    signal.addEventListener("abort", leave, options);
  }

  give(): void {
    this.end.abort();
    this.resolve();
  }

  refuse(reason: unknown): void {
    this.end.abort();
    this.reject(reason);
  }
}
