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

  /**
   * Holds its own timer: a signal combined of others may be collected on Node 20 before it fires.
   * @param milliseconds time left from now. `cancelled` ends it earlier, as when a client hangs up.
   */
  static after(milliseconds: number, cancelled?: AbortSignal): Deadline {
    const controller = new AbortController();
    const cancel = () => controller.abort(cancelled?.reason);
    setTimeout(() => controller.abort(), milliseconds).unref();
    if (cancelled?.aborted) cancel();
    cancelled?.addEventListener("abort", cancel, { once: true });
    return new Deadline(Date.now() + milliseconds, controller.signal);
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
