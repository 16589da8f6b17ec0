import { PlatenError } from "./errors.js";

/** One time limit for a whole job, made at the door and carried through every phase to the print. */
export class Deadline {
  readonly signal: AbortSignal;

  private constructor(
    readonly at: number,
    signal: AbortSignal,
  ) {
    this.signal = signal;
  }

  /** @param milliseconds time left from now. `cancelled` ends it earlier, as when a client hangs up. */
  static after(milliseconds: number, cancelled?: AbortSignal): Deadline {
    const timer = AbortSignal.timeout(milliseconds);
    const signal = cancelled ? AbortSignal.any([timer, cancelled]) : timer;
    return new Deadline(Date.now() + milliseconds, signal);
  }

  get remainingMs(): number {
    return Math.max(0, this.at - Date.now());
  }

  /** @throws PlatenError `timeout` when no time is left; `phase` names what was about to start. */
  check(phase: string): void {
    if (this.signal.aborted) throw this.error(phase);
  }

  error(phase: string): PlatenError {
    return new PlatenError(
      "timeout",
      `The time limit for this document passed while ${phase}. ` +
        "Make the document smaller, or raise PLATEN_RENDER_TIMEOUT.",
    );
  }
}
