import { treeCpuMs, treesPssMb } from "./process-usage.js";
import type { BenchResult, Scenario } from "./scenario.js";

const MEMORY_LOOK_MS = 500;

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
    const cpuBefore = await treeCpuMs(roots);
    const watch = setInterval(() => void this.#lookAtMemory(), MEMORY_LOOK_MS);
    const started = performance.now();
    const left = { count };
    const workers = Array.from({ length: concurrency }, (_, worker) =>
      this.#work(worker, left),
    );
    await Promise.all(workers);
    this.#elapsedMs += performance.now() - started;
    clearInterval(watch);
    await this.#lookAtMemory();
    this.#cpuMs += (await treeCpuMs(roots)) - cpuBefore;
  }

  result(): BenchResult {
    const sorted = this.#latencies.toSorted((a, b) => a - b);
    const count = sorted.length;
    const at = (share: number) =>
      rounded(sorted[Math.floor(share * (count - 1))] ?? 0, 2);
    return {
      name: this.scenario.name,
      docsPerSecond: rounded((count / this.#elapsedMs) * 1000, 1),
      p50Ms: at(0.5),
      p95Ms: at(0.95),
      cpuMsPerDoc: rounded(this.#cpuMs / count, 2),
      peakPssMb: Math.round(this.#peakPssMb),
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

  async #lookAtMemory(): Promise<void> {
    const pssMb = await treesPssMb(this.scenario.roots);
    this.#peakPssMb = Math.max(this.#peakPssMb, pssMb);
  }
}

function rounded(number: number, digits: number): number {
  return Number(number.toFixed(digits));
}
