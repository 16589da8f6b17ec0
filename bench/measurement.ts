import { readFile } from "node:fs/promises";
import {
  processTree,
  treePssMb,
} from "../core/rendering/browser/process-tree.js";
import type { BenchResult, Scenario } from "./scenario.js";

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
      await this.scenario.runOnce(worker);
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

/** Looking takes processor time itself. */
const MEMORY_LOOK_MS = 2000;

/** What some processes with all their children use from its start to its end. */
export class UsageWatch {
  readonly #timer: NodeJS.Timeout;
  #peakPssMb = 0;

  private constructor(
    private readonly roots: readonly number[],
    private readonly cpuBefore: number,
  ) {
    this.#timer = setInterval(() => void this.#look(), MEMORY_LOOK_MS);
  }

  static async start(roots: readonly number[]): Promise<UsageWatch> {
    return new UsageWatch(roots, await treeCpuMs(roots));
  }

  /** @returns processor time in ms, and the most memory that was seen. */
  async end(): Promise<{ cpuMs: number; peakPssMb: number }> {
    clearInterval(this.#timer);
    await this.#look();
    const cpuMs = (await treeCpuMs(this.roots)) - this.cpuBefore;
    return { cpuMs, peakPssMb: this.#peakPssMb };
  }

  async #look(): Promise<void> {
    this.#peakPssMb = Math.max(this.#peakPssMb, await treesPssMb(this.roots));
  }
}

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_MS = 10;

/** CPU time that process trees have used so far, of ended children too, in ms. */
async function treeCpuMs(roots: readonly number[]): Promise<number> {
  const trees = await Promise.all(roots.map(processTree));
  const ticks = await Promise.all([...new Set(trees.flat())].map(cpuTicks));
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS;
}

/** Memory of process trees in MB, shared pages counted by their share. */
async function treesPssMb(roots: readonly number[]): Promise<number> {
  const sizes = await Promise.all(roots.map(treePssMb));
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

/** User and system time of a process and of the children that it has waited for. */
async function cpuTicks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields
    .slice(11, 15)
    .map(Number)
    .reduce((sum, one) => sum + one, 0);
}

/** A measured number with as many digits as it is worth. */
export function rounded(number: number, digits = 0): number {
  return Number(number.toFixed(digits));
}
