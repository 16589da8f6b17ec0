import type { Queue } from "../queue/index.js";
import type { EsignParts } from "./ports.js";
import { SIGNATURE_JOB } from "./signature-job.js";
import { SignatureWorker } from "./signature-worker.js";
import { forgetEnded, wakeForgotten } from "./sweep-requests.js";

export interface EsignWorkParts extends EsignParts {
  queue: Queue;
  /** After how long a silent process's requests go to others, in milliseconds. */
  leaseMs: number;
}

/** Requests that this process starts or looks at, at once; the pace of each provider is the host's matter. */
const concurrency = 16;
const maxInterruptions = 50;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Has this process start requests and watch them, once its queue is started. */
export function workSignatures(parts: EsignWorkParts): void {
  const worker = new SignatureWorker(parts);
  const { queue, leaseMs } = parts;
  queue.work(
    SIGNATURE_JOB,
    { concurrency, maxInterruptions, leaseMs },
    (job) => worker.work(job),
    (id, runs) => worker.poison(id, runs),
  );
  queue.every("signatures", minuteMs, () => wakeForgotten(parts));
  queue.every("signature-retention", hourMs, (signal) =>
    forgetEnded(parts, signal),
  );
}
