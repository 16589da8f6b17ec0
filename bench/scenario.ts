/** One way to make the document, ready to be measured. */
export interface Scenario {
  name: string;
  /** How many at the same time. */
  concurrency: number;
  /** The processes that do the work; CPU and memory are those of their whole trees. */
  roots: readonly number[];
  /** Makes one document; `worker` counts from 0 to `concurrency` - 1. */
  makeOne(worker: number): Promise<void>;
}

/** What `--json` prints for each scenario. */
export interface BenchResult {
  name: string;
  docsPerSecond: number;
  p50Ms: number;
  p95Ms: number;
  cpuMsPerDoc: number;
  peakPssMb: number;
  /** Of one document, where that is what is measured. */
  pages?: number;
}
