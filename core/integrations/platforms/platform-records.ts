import type { EntityManager } from "typeorm";
import { isOutputOf, type Output } from "../../plugin-api/index.js";
import type { RecordSource } from "../../batches/index.js";
import type { Queue } from "../../queue/index.js";
import {
  type Batch,
  type Document,
  findForUpdate,
  insertRow,
  RecordBatch,
  WriteBack,
  type WrittenFile,
} from "../../storage/database/index.js";
import { cellKey, lockOf } from "./cell.js";
import { groupOf, groupsOf, WALK_JOB, walkJob } from "./record-group.js";
import { recordIdOf } from "./record-id.js";
import { WRITE_BACK_JOB } from "./write-back/write-back-job.js";

/** A walk is on its way already, unless its job was lost: a second one need not hurry. */
const bringDelayMs = 60_000;

/** The platforms' records, as batches know them. */
export class PlatformRecords implements RecordSource {
  constructor(private readonly queue: Queue) {}

  async bring(
    tx: EntityManager,
    { batchId, batchIndex, organizationId }: Document,
  ): Promise<void> {
    const group = groupOf(batchId ?? "", batchIndex ?? 0);
    const job = walkJob(group, organizationId);
    await this.queue.enqueue(tx, [{ ...job, delayMs: bringDelayMs }]);
  }

  /** The files are on their way from the moment that they are there. */
  async succeeded(
    tx: EntityManager,
    document: Document,
    outputs: readonly Output[],
  ): Promise<void> {
    const { id: documentId, batchId, organizationId } = document;
    const order = await placeOf(tx, batchId ?? "");
    if (order?.fieldId == null) return;
    const recordId = recordIdOf(document);
    const cell = cellKey(order, recordId);
    const now = new Date();
    await insertRow(tx, WriteBack, {
      documentId,
      batchId: order.batchId,
      organizationId,
      recordId,
      cell,
      status: "pending",
      attempts: 0,
      files: outputs
        .filter((output) => isOutputOf(output, document.formats))
        .map(waiting),
      error: null,
      createdAt: now,
      updatedAt: now,
      completedAt: null,
    });
    const partitionKey = lockOf(organizationId, cell);
    const job = { kind: WRITE_BACK_JOB, rowId: documentId, partitionKey };
    await this.queue.enqueue(tx, [job]);
  }

  /** What became of a document at its signing goes into the cell that the document itself went to, beside it. */
  async signed(
    tx: EntityManager,
    { id: documentId, organizationId }: Document,
    outputs: readonly Output[],
  ): Promise<void> {
    const row = await findForUpdate(tx, WriteBack, { documentId });
    if (row === null) return;
    const known = new Set(row.files.map(({ label }) => label));
    const added = outputs.filter(({ label }) => !known.has(label));
    if (added.length === 0) return;
    await tx.update(
      WriteBack,
      { documentId },
      {
        status: "pending",
        attempts: 0,
        files: [...row.files, ...added.map(waiting)],
        error: null,
        completedAt: null,
        updatedAt: new Date(),
      },
    );
    const partitionKey = lockOf(organizationId, row.cell);
    const job = { kind: WRITE_BACK_JOB, rowId: documentId, partitionKey };
    await this.queue.enqueue(tx, [job]);
  }

  /** The records are fetched anew, from the same place. */
  async retried(tx: EntityManager, from: Batch, to: Batch): Promise<void> {
    const batchId = from.id;
    const order = await tx.findOneByOrFail(RecordBatch, { batchId });
    await this.accepted(tx, to, order);
  }

  /** Joins the acceptance of a batch: notes where its records are, and has them fetched. */
  async accepted(
    tx: EntityManager,
    { id: batchId, totalCount, organizationId, createdAt }: Batch,
    order: Omit<RecordBatch, "batchId" | "organizationId" | "createdAt">,
  ): Promise<void> {
    const row = { ...order, batchId, organizationId, createdAt };
    await insertRow(tx, RecordBatch, row);
    const groups = groupsOf(batchId, totalCount);
    const jobs = groups.map((group) => walkJob(group, organizationId));
    await this.queue.enqueue(tx, jobs);
  }

  nudge(): void {
    this.queue.nudge(WALK_JOB);
    this.queue.nudge(WRITE_BACK_JOB);
  }
}

/** Without the plan, which is large. */
function placeOf(tx: EntityManager, batchId: string) {
  return tx.findOne(RecordBatch, {
    where: { batchId },
    select: {
      batchId: true,
      organizationId: true,
      baseId: true,
      tableId: true,
      fieldId: true,
    },
  });
}

function waiting({ label }: Output): WrittenFile {
  return { label, state: "waiting", remoteId: null };
}
