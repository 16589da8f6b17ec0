import { treeCpuMs, treesPssMb } from "./process-usage.js";

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
