import type { Log } from "../../plugin-api/index.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** Tries something until it works, each time after twice the wait; only one try at a time. */
export class ComeBack {
  #timer: NodeJS.Timeout | undefined;
  #waitMs = FIRST_WAIT_MS;
  #isStopped = false;

  constructor(
    private readonly attempt: () => Promise<void>,
    private readonly log: Log,
  ) {}

  /** @param isFresh at once and with the shortest waits; or else where the waits had come to */
  begin(isFresh: boolean): void {
    if (isFresh) this.#waitMs = FIRST_WAIT_MS;
    this.#schedule(isFresh ? 0 : this.#nextWait());
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(milliseconds: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#try(), milliseconds).unref();
  }

  async #try(): Promise<void> {
    try {
      await this.attempt();
    } catch (error) {
      const waitMs = this.#nextWait();
      this.log.error({ err: error, waitMs }, "no browser could be started");
      this.#schedule(waitMs);
    }
  }

  #nextWait(): number {
    const waitMs = this.#waitMs;
    this.#waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
    return waitMs;
  }
}
