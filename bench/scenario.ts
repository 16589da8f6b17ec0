/** One way to make the document, ready to be measured. */
export interface Scenario {
  name: string;
  /** How many at the same time. */
  concurrency: number;
  /** The processes that do the work; CPU and memory are those of their whole trees. */
  roots: readonly number[];
  /** How many to make of each that `--documents` asks for: fewer of what is slow, more of what is fast; 1 without it. */
  share?: number;
  /** Makes one document; `worker` counts from 0 to `concurrency` - 1. */
  runOnce(worker: number): Promise<void>;
}

/** Scenarios that run, and how to end what they run on. */
export interface Running {
  scenarios: readonly Scenario[];
  stop(): Promise<void>;
}

/** Scenarios that are measured together. */
export interface Group {
  names: readonly string[];
  /** Measures those that are wanted; called only when one is. */
  results(): Promise<BenchResult[]>;
}

/** What `--json` prints for each scenario. Of what is no matter of its scenario, nothing is said. */
export interface BenchResult {
  name: string;
  docsPerSecond?: number;
  /** Time for one. */
  p50Ms?: number;
  p95Ms?: number;
  cpuMsPerDoc?: number;
  peakPssMb?: number;
  /** Of a service at rest: all of it, its own process, and the browser's processes. */
  pssMb?: number;
  servicePssMb?: number;
  browserPssMb?: number;
  /** The rate as a share of that of raw-cdp in the same run, where the same document is printed. */
  ofRawCdp?: number;
  /** The rate as a multiple of that of the peer that makes the same in the same run. */
  ofPeer?: number;
  /** The time for one as a share of that for a merge of the same record in the same run. */
  ofMerge?: number;
  /** Of one document, where that is what is measured. */
  pages?: number;
  /** Of a batch: from the request to its answer, and to its first document that is ready. */
  acceptMs?: number;
  firstDocumentMs?: number;
  /** Of a batch whose files are written to records: until the last is there, and the platform's requests. */
  seconds?: number;
  requests?: number;
  /** The time as a multiple of that of the limit beside it in the same run. */
  ofLimit?: number;
  /** The fewest with which the platform's API allows it. */
  leastRequests?: number;
  /** Of a soak: memory, open files and the delay of the event loop in the middle of many samples; files that are left. */
  medianPssMb?: number;
  handles?: number;
  delayMs?: number;
  files?: number;
  /** During an attack: the slowest answer of `/health/live`, and the p95 of another's invoice as a ratio of its usual p95. */
  healthWorstMs?: number;
  invoiceRatio?: number;
}
