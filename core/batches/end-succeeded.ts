import type { EntityManager } from "typeorm";
import {
  recordQueuedSucceeded,
  type SucceededDocument,
} from "../documents/index.js";
import { recordEvents, type ServiceEvent } from "../webhooks/index.js";
import type { Queue, RunningJob } from "../queue/index.js";
import { GroupCommit, type Store } from "../storage/database/index.js";
import type { ClaimedDocument } from "./claim-documents.js";
import { countAllEnded } from "./count-ended.js";
import { eventMetadata } from "./event-metadata.js";
import type { RecordSource } from "./record-source.js";

/** A rendered document, and the job that named it. */
export interface Success {
  row: ClaimedDocument;
  ended: SucceededDocument;
  job: RunningJob;
  /** See `Batch.platform`. */
  platform: string | null;
}

export interface SuccessResult {
  /** False: the claim was lost, and nothing was written. */
  isOurs: boolean;
  /** Whether it was the last document of its batch. */
  isLast: boolean;
}

export type Successes = GroupCommit<Success, SuccessResult>;

interface Ports {
  store: Pick<Store, "unitOfWork">;
  queue: Pick<Queue, "forget">;
  records: Pick<RecordSource, "succeeded">;
}

/** Documents that end so close together are written together; as they wait, others are printed. */
const together = { gatherMs: 20, most: 16 };

/**
 * Ends documents that succeed: row, files, usage, events, counters of batches and the job, in one unit of work for
 * several of them. Each is fenced by its own claim and by its job's lease, and fails alone.
 */
export function successesOf(ports: Ports): Successes {
  const { unitOfWork } = ports.store;
  return new GroupCommit(
    unitOfWork,
    (tx, group) => endAll(ports, tx, group),
    together,
  );
}

async function endAll(
  { queue, records }: Ports,
  tx: EntityManager,
  group: readonly Success[],
): Promise<SuccessResult[]> {
  if (!(await recordQueuedSucceeded(tx, group))) return lostIn(group);
  for (const { ended } of group) await ended.sign?.(tx);
  await recordEvents(tx, group.map(eventOf));
  for (const { platform, row, ended } of group)
    if (platform !== null) await records.succeeded(tx, row, ended.outputs);
  const batches = group.map(({ row }) => row.batchId);
  const completed = await countAllEnded(tx, batches, new Date());
  await queue.forget(
    tx,
    group.map(({ job }) => job),
  );
  return group.map(({ row }) => ({
    isOurs: true,
    isLast: completed.has(row.batchId),
  }));
}

/** Of several, it is found by trying each alone. */
function lostIn(group: readonly Success[]): SuccessResult[] {
  if (group.length > 1) throw new Error("a claim was lost");
  return [{ isOurs: false, isLast: false }];
}

function eventOf({ row, ended }: Success): ServiceEvent {
  const { metadata, id: documentId, batchId, organizationId } = row;
  const { outputs, fileName, completedAt } = ended;
  return {
    type: "document.succeeded",
    data: {
      documentId,
      batchId,
      organizationId,
      status: "succeeded",
      outputs,
      metadata: eventMetadata({ metadata, fileName }),
      completedAt: completedAt.toISOString(),
    },
  };
}
