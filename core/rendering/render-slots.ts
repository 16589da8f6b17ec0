import { PlatenError, type Deadline } from "../plugin-api/index.js";
import { withinDeadline } from "./time-limit.js";

type Waiter = (slot: number) => void;

const MAX_RETRY_AFTER_SECONDS = 60;
/** Weight of the earlier jobs in the moving average of job times. */
const PACE_SMOOTHING = 0.9;

/** A fixed number of slots that run one job each, with a bounded first-in, first-out queue of waiting jobs. */
export class RenderSlots {
  readonly #free: number[];
  readonly #waiting: Waiter[] = [];
  readonly #onIdle: (() => void)[] = [];
  #averageMs = 50;

  constructor(
    private readonly slots: number,
    private readonly maxWaiting: number,
  ) {
    this.#free = Array.from({ length: slots }, (_, index) => index);
  }

  get queued(): number {
    return this.#waiting.length;
  }

  get busy(): number {
    return this.slots - this.#free.length;
  }

  /**
   * Waits for a free slot and runs `work` in it. `work` must end soon after its deadline.
   * @throws PlatenError `busy` when the queue is full, `timeout` when the deadline passes in the queue.
   */
  async run<T>(
    deadline: Deadline,
    work: (slot: number) => Promise<T>,
  ): Promise<T> {
    deadline.check("it waited for a free page");
    const slot = this.#free.shift() ?? (await this.#waitForSlot(deadline));
    const started = performance.now();
    try {
      return await work(slot);
    } finally {
      const tookMs = performance.now() - started;
      this.#averageMs =
        this.#averageMs * PACE_SMOOTHING + tookMs * (1 - PACE_SMOOTHING);
      this.#release(slot);
    }
  }

  /** Resolves when no job runs and none waits. */
  idle(): Promise<void> {
    if (this.busy === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle.push(resolve);
    });
  }

  async #waitForSlot(deadline: Deadline): Promise<number> {
    if (this.#waiting.length >= this.maxWaiting) throw this.#createBusyError();
    let waiter: Waiter | undefined;
    const turn = new Promise<number>((resolve) => {
      waiter = resolve;
      this.#waiting.push(resolve);
    });
    try {
      return await withinDeadline(turn, deadline, "it waited for a free page");
    } catch (error) {
      const index = this.#waiting.indexOf(waiter!);
      if (index >= 0) this.#waiting.splice(index, 1);
      else void turn.then((slot) => this.#release(slot));
      throw error;
    }
  }

  #release(slot: number): void {
    const next = this.#waiting.shift();
    if (next) return next(slot);
    this.#free.push(slot);
    if (this.busy === 0) for (const notify of this.#onIdle.splice(0)) notify();
  }

  #createBusyError(): PlatenError {
    const seconds =
      (this.#averageMs * (this.maxWaiting + 1)) / this.slots / 1000;
    return new PlatenError(
      "busy",
      `All pages are printing and ${this.maxWaiting} documents are already waiting. Try again a little later.`,
      {
        retryAfterSeconds: Math.min(
          MAX_RETRY_AFTER_SECONDS,
          Math.max(1, Math.ceil(seconds)),
        ),
      },
    );
  }
}
