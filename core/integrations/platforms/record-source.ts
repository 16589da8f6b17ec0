import type { EntityManager } from "typeorm";
import type { RecordSource } from "../../batches/index.js";
import { inject, injectable } from "../../lib/injection.js";
import { hasRequestedFormat, type Output } from "../../plugin-api/index.js";
import type { Queue } from "../../queue/index.js";
import { QUEUE } from "../../queue/tokens.js";
import {
  type Batch,
  type Document,
  findForUpdate,
  getDatabaseTime,
  insertRow,
  RecordBatch,
  WriteBack,
  type WrittenFile,
} from "../../storage/database/index.js";
import {
  createFetchJob,
  createWriteBackJob,
  FETCH_JOB,
  getCellKey,
  getGroup,
  getRecordId,
  listGroups,
  WRITE_BACK_JOB,
} from "./jobs.js";

/** A group without data has a fetch job already, unless it was lost: another one can wait. */
const bringDelayMs = 60_000;

/** Provides batches with the records of platforms, and queues the write-backs of their documents. */
@injectable()
export class PlatformRecordSource implements RecordSource {
  constructor(@inject(QUEUE) private readonly queue: Queue) {}

  async bring(
    tx: EntityManager,
    { batchId, batchIndex }: Document,
  ): Promise<void> {
    const batch = await findBatch(tx, batchId);
    if (batch === null) return;
    const group = getGroup(batch.batchId, batchIndex ?? 0);
    const job = createFetchJob(group, batch);
    await this.queue.enqueue(tx, [{ ...job, delayMs: bringDelayMs }]);
  }

  /** Queues the write-back in the transaction in which the document succeeds. */
  async succeeded(
    tx: EntityManager,
    document: Document,
    outputs: readonly Output[],
  ): Promise<void> {
    const { id: documentId, organizationId } = document;
    const batch = await findBatch(tx, document.batchId);
    if (batch?.fieldId == null) return;
    const recordId = getRecordId(document);
    const cell = getCellKey(batch, recordId);
    const now = await getDatabaseTime(tx);
    await insertRow(tx, WriteBack, {
      documentId,
      batchId: batch.batchId,
      organizationId,
      recordId,
      cell,
      status: "pending",
      attempts: 0,
      files: outputs
        .filter((output) => hasRequestedFormat(output, document.formats))
        .map(createWaitingFile),
      error: null,
      nextAttemptAt: now,
      createdAt: now,
      updatedAt: now,
      completedAt: null,
    });
    await this.queue.enqueue(tx, [createWriteBackJob({ cell }, batch)]);
  }

  /** Queues signed files to be written to the same cell as the document itself. */
  async signed(
    tx: EntityManager,
    { id: documentId }: Document,
    outputs: readonly Output[],
  ): Promise<void> {
    const row = await findForUpdate(tx, WriteBack, { documentId });
    if (row === null) return;
    const known = new Set(row.files.map(({ label }) => label));
    const added = outputs.filter(({ label }) => !known.has(label));
    const batch = await findBatch(tx, row.batchId);
    if (added.length === 0 || batch === null) return;
    const now = await getDatabaseTime(tx);
    await tx.update(
      WriteBack,
      { documentId },
      {
        status: "pending",
        attempts: 0,
        files: [...row.files, ...added.map(createWaitingFile)],
        error: null,
        nextAttemptAt: now,
        completedAt: null,
        updatedAt: now,
      },
    );
    await this.queue.enqueue(tx, [createWriteBackJob(row, batch)]);
  }

  /** Fetches the records again, from the same table. */
  async retried(tx: EntityManager, from: Batch, to: Batch): Promise<void> {
    const where = { batchId: from.id };
    const batch = await tx.findOneByOrFail(RecordBatch, where);
    await this.accepted(tx, to, batch);
  }

  /** Stores where the records of a batch are and queues their fetch, in the transaction in which the batch is accepted. */
  async accepted(
    tx: EntityManager,
    { id: batchId, totalCount, organizationId, createdAt }: Batch,
    place: Omit<RecordBatch, "batchId" | "organizationId" | "createdAt">,
  ): Promise<void> {
    const row = { ...place, batchId, organizationId, createdAt };
    await insertRow(tx, RecordBatch, row);
    const jobs = listGroups(batchId, totalCount).map((group) =>
      createFetchJob(group, row),
    );
    await this.queue.enqueue(tx, jobs);
  }

  nudge(): void {
    this.queue.nudge(FETCH_JOB);
    this.queue.nudge(WRITE_BACK_JOB);
  }
}

/** Without the plan, which is large. */
export function findBatch(
  tx: EntityManager,
  batchId: string | null,
): Promise<Omit<RecordBatch, "plan"> | null> {
  return tx.findOne(RecordBatch, {
    where: { batchId: batchId ?? "" },
    select: {
      batchId: true,
      organizationId: true,
      connectionId: true,
      baseId: true,
      tableId: true,
      fieldId: true,
      fieldName: true,
      mode: true,
      isUrgent: true,
      createdAt: true,
    },
  });
}

function createWaitingFile({ label }: Output): WrittenFile {
  return { label, state: "waiting", remoteId: null };
}
