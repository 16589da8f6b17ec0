import type { Deadline, Log, Output } from "../plugin-api/index.js";
import {
  type ProducedDocument,
  produceDocument,
  type ProductionParts,
  reasonOf,
} from "./produce-document.js";
import type { RenderReport } from "./render-report.js";
import { type QueuedDocument, resumeRun } from "./render-run.js";
import type { RenderWitness } from "./render-witness.js";

// One queued record becomes one document: the same story as for a caller who waits, on a row that is there already and
// that this worker has claimed. What a failure means is for whoever queued it to say.

/** What became of a queued document. */
export interface SucceededDocument {
  outputs: Output[];
  /** Without extension. */
  fileName: string;
  report: RenderReport;
  completedAt: Date;
  /** See `ProducedDocument`: to be called in the transaction that records all this. */
  sign: ProducedDocument["sign"];
}

export interface QueuedWatch {
  /** One for the whole render. */
  deadline: Deadline;
  /** Writes what became of it (`recordQueuedSucceeded`). @returns false when the claim was lost. */
  record(ended: SucceededDocument): Promise<boolean>;
}

/**
 * Renders a claimed document. False when the claim was lost meanwhile: then nothing is recorded and no file is left.
 * Rejects with what went wrong, the row as it was.
 */
export type RenderQueued = (
  queued: QueuedDocument,
  watch: QueuedWatch,
) => Promise<boolean>;

export interface QueuedParts extends ProductionParts {
  witness: RenderWitness;
  log: Log;
}

export function createRenderQueued(parts: QueuedParts): RenderQueued {
  return async (queued, watch) => {
    const { deadline } = watch;
    const run = resumeRun(queued);
    const log = parts.log.child({ batchId: queued.row.batchId });
    try {
      const { saved, fileName, report, sign } = await produceDocument(
        parts,
        run,
        deadline,
      );
      const outputs = saved.map(({ output }) => output);
      const completedAt = new Date();
      const ended = { outputs, fileName, report, completedAt, sign };
      const isOurs = await watch.record(ended);
      if (isOurs) parts.witness.succeeded(run, log);
      else await parts.outputs.remove(saved);
      return isOurs;
    } catch (thrown) {
      const error = reasonOf(deadline) ?? thrown;
      parts.witness.failed(run, log, error);
      throw error;
    }
  };
}
