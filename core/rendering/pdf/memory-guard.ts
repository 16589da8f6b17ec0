import { PlatenError } from "../../plugin-api/index.js";

const LOOK_EVERY_MS = 100;

/**
 * Watches how much memory the process takes while PDFs are finished: a PDF may unpack to a thousand times its size. One
 * is finished after the other, so the oldest is the one that is being worked at.
 */
export class MemoryGuard {
  readonly #jobs = new Set<AbortController>();
  #watch: NodeJS.Timeout | undefined;
  #oldest: AbortController | undefined;
  #before = 0;

  /** @param mostBytes that the process may grow by while one PDF is finished */
  constructor(private readonly mostBytes: number) {}

  /** Runs a job, whose signal is aborted with an error `too_large` when it takes too much, or as `signal` is. */
  async run<T>(
    signal: AbortSignal,
    job: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    this.#jobs.add(controller);
    this.#watch ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    try {
      return await job(controller.signal);
    } catch (error) {
      throw controller.signal.reason instanceof PlatenError
        ? controller.signal.reason
        : error;
    } finally {
      signal.removeEventListener("abort", abort);
      this.#jobs.delete(controller);
      if (this.#jobs.size === 0) this.#rest();
    }
  }

  #rest(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#oldest = undefined;
  }

  #look(): void {
    const [oldest] = this.#jobs;
    const now = process.memoryUsage.rss();
    if (oldest !== this.#oldest) {
      this.#oldest = oldest;
      this.#before = now;
    }
    if (now - this.#before > this.mostBytes) oldest?.abort(tooLarge());
  }
}

function tooLarge(): PlatenError {
  return new PlatenError(
    "too_large",
    "The PDFs that are joined take too much memory when they are unpacked. Leave some out, or save them anew with another program.",
  );
}
