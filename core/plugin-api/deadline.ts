import { clock } from "../lib/clock.js";
import { PlatenError } from "./errors.js";

/** The time limit of a whole job, which every phase of it shares. */
export class Deadline {
  readonly signal: AbortSignal;

  private constructor(
    readonly at: number,
    signal: AbortSignal,
    /** Ends it when the job is over: thousands of short jobs with a long limit would keep as many timers. */
    readonly clear: () => void,
  ) {
    this.signal = signal;
  }

  /**
   * Uses a timer of its own, because a combined signal can be garbage-collected before it fires (Node 20).
   * @param milliseconds time left from now. `cancelled` aborts it earlier, such as when a client disconnects.
   */
  static after(milliseconds: number, cancelled?: AbortSignal): Deadline {
    const controller = new AbortController();
    const cancel = () => controller.abort(cancelled?.reason);
    const timer = clock.limit(milliseconds, () => controller.abort()).unref();
    if (cancelled?.aborted) cancel();
    cancelled?.addEventListener("abort", cancel, { once: true });
    return new Deadline(clock.now() + milliseconds, controller.signal, () => {
      timer.cancel();
      cancelled?.removeEventListener("abort", cancel);
    });
  }

  get remainingMs(): number {
    return Math.max(0, this.at - clock.now());
  }

  /** @throws PlatenError `timeout` when no time is left. @param phase the work that was about to start. */
  check(phase: string): void {
    if (this.signal.aborted) throw this.error(phase);
  }

  /** What it was aborted with, when that says why; otherwise `timeout`. */
  error(phase: string): PlatenError {
    const reason: unknown = this.signal.reason;
    if (reason instanceof PlatenError) return reason;
    return new PlatenError(
      "timeout",
      `The time limit for this document passed while ${phase}. ` +
        "Make the document smaller, or raise PLATEN_RENDER_TIMEOUT.",
    );
  }
}
