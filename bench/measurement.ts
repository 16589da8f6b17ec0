import { rounded } from "./rounded.js";
import type { BenchResult, Scenario } from "./scenario.js";
import { UsageWatch } from "./usage-watch.js";

/** Gathers the rounds of one scenario. */
export class Measurement {
  readonly #latencies: number[] = [];
  #elapsedMs = 0;
  #cpuMs = 0;
  #peakPssMb = 0;

  constructor(private readonly scenario: Scenario) {}

  /** Makes `count` documents as fast as the scenario's concurrency allows. */
  async round(count: number): Promise<void> {
    const { roots, concurrency } = this.scenario;
    const watch = await UsageWatch.start(roots);
    const started = performance.now();
    const left = { count };
    const workers = Array.from({ length: concurrency }, (_, worker) =>
      this.#work(worker, left),
    );
    await Promise.all(workers);
    this.#elapsedMs += performance.now() - started;
    const { cpuMs, peakPssMb } = await watch.end();
    this.#cpuMs += cpuMs;
    this.#peakPssMb = Math.max(this.#peakPssMb, peakPssMb);
  }

  result(): BenchResult {
    const count = this.#latencies.length;
    return {
      name: this.scenario.name,
      docsPerSecond: rounded((count / this.#elapsedMs) * 1000, 1),
      ...percentiles(this.#latencies),
      cpuMsPerDoc: rounded(this.#cpuMs / count, 2),
      peakPssMb: rounded(this.#peakPssMb),
    };
  }

  async #work(worker: number, left: { count: number }): Promise<void> {
    while (left.count > 0) {
      left.count -= 1;
      const started = performance.now();
      await this.scenario.makeOne(worker);
      this.#latencies.push(performance.now() - started);
    }
  }
}

/** Of times in ms. */
export function percentiles(
  times: readonly number[],
): Required<Pick<BenchResult, "p50Ms" | "p95Ms">> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    rounded(sorted[Math.floor(share * (sorted.length - 1))] ?? 0, 2);
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}
