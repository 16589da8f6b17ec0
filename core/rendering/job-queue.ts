import { PlatenError, type Deadline } from "../plugin-api/index.js";
import { withinDeadline } from "./time-limit.js";

interface Waiting {
  begin(place: number): void;
}

const LONGEST_WAIT_SECONDS = 60;
const MEMORY_OF_PACE = 0.9;

/** First come, first served, a fixed number of places, and a bounded line before them. */
export class JobQueue {
  readonly #free: number[];
  readonly #line: Waiting[] = [];
  readonly #whenIdle: (() => void)[] = [];
  #paceMs = 50;

  constructor(
    private readonly places: number,
    private readonly limit: number,
  ) {
    this.#free = Array.from({ length: places }, (_, index) => index);
  }

  get queued(): number {
    return this.#line.length;
  }

  get busy(): number {
    return this.places - this.#free.length;
  }

  /**
   * Waits for a place, works there, gives it back. `work` must end soon after its deadline.
   * @throws PlatenError `busy` when the line is full, `timeout` when the deadline passes in the line.
   */
  async run<T>(
    deadline: Deadline,
    work: (place: number) => Promise<T>,
  ): Promise<T> {
    deadline.check("it waited for a free page");
    const place = this.#free.shift() ?? (await this.#lineUp(deadline));
    const started = performance.now();
    try {
      return await work(place);
    } finally {
      this.#learnPace(performance.now() - started);
      this.#release(place);
    }
  }

  async #lineUp(deadline: Deadline): Promise<number> {
    if (this.#line.length >= this.limit) throw this.#busyError();
    let waiting: Waiting | undefined;
    const turn = new Promise<number>((resolve) => {
      waiting = { begin: resolve };
      this.#line.push(waiting);
    });
    try {
      return await withinDeadline(turn, deadline, "it waited for a free page");
    } catch (error) {
      const index = this.#line.indexOf(waiting!);
      if (index >= 0) this.#line.splice(index, 1);
      else void turn.then((place) => this.#release(place));
      throw error;
    }
  }

  /** Settles when nobody works and nobody waits. */
  idle(): Promise<void> {
    if (this.busy === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
    });
  }

  #release(place: number): void {
    const next = this.#line.shift();
    if (next) return next.begin(place);
    this.#free.push(place);
    if (this.busy === 0) for (const tell of this.#whenIdle.splice(0)) tell();
  }

  #learnPace(milliseconds: number): void {
    this.#paceMs =
      this.#paceMs * MEMORY_OF_PACE + milliseconds * (1 - MEMORY_OF_PACE);
  }

  #busyError(): PlatenError {
    const seconds = (this.#paceMs * (this.limit + 1)) / this.places / 1000;
    return new PlatenError(
      "busy",
      `All pages are printing and ${this.limit} documents wait already. Try again a little later.`,
      {
        retryAfterSeconds: Math.min(
          LONGEST_WAIT_SECONDS,
          Math.max(1, Math.ceil(seconds)),
        ),
      },
    );
  }
}
