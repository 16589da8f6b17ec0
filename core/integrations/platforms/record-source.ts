import { type EntityManager, In, MoreThan } from "typeorm";
import type { RecordSource } from "../../batches/index.js";
import { clock } from "../../lib/clock.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import { hasRequestedFormat, type Output } from "../../plugin-api/index.js";
import { type Queue, QUEUE } from "../../queue/index.js";
import {
  Batch,
  Document,
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
@scoped(Lifecycle.ContainerScoped)
export class PlatformRecordSource implements RecordSource {
  constructor(@inject(QUEUE) private readonly queue: Queue) {}

  async bring(
    tx: EntityManager,
    { batchId, batchIndex }: Document,
  ): Promise<void> {
    const batch = await findRecordBatch(tx, batchId);
    if (batch === null) return;
    const group = getGroup(batch.batchId, batchIndex ?? 0);
    const job = createFetchJob(group, batch);
    await this.queue.enqueue(tx, [
      { ...job, delayMs: clock.pause(bringDelayMs) },
    ]);
  }

  /** Queues the write-back in the transaction in which the document succeeds. */
  async succeeded(
    tx: EntityManager,
    document: Document,
    outputs: readonly Output[],
  ): Promise<void> {
    const { id: documentId, organizationId } = document;
    const batch = await findRecordBatch(tx, document.batchId);
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
    const knownLabels = new Set(row.files.map(({ label }) => label));
    const added = outputs.filter(({ label }) => !knownLabels.has(label));
    const batch = await findRecordBatch(tx, row.batchId);
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
export function findRecordBatch(
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

type CellPlace = Pick<
  RecordBatch,
  "organizationId" | "connectionId" | "baseId" | "tableId" | "fieldId"
>;

const chunkSize = 500;

/**
 * Those of the records whose cell gets a file from an accepted batch, or got one since that time. Bases are compared,
 * and connections where the platform has no bases.
 */
export async function findRecordsInProgress(
  read: EntityManager,
  place: CellPlace,
  recordIds: readonly string[],
  since: Date,
): Promise<Set<string>> {
  const wanted = new Set(recordIds);
  const inProgress = new Set<string>();
  const open = await read.find(Batch, {
    where: {
      organizationId: place.organizationId,
      status: In(["queued", "running"]),
    },
    select: { id: true },
  });
  const atPlace = async (batchIds: readonly string[]) => {
    const { organizationId, tableId, fieldId, baseId, connectionId } = place;
    const { length } = batchIds;
    const matchingIds = new Set<string>();
    for (let at = 0; at < length; at += chunkSize)
      for (const { batchId } of await read.find(RecordBatch, {
        where: {
          batchId: In(batchIds.slice(at, at + chunkSize)),
          organizationId,
          tableId,
          fieldId: fieldId ?? "",
          ...(baseId === null ? { connectionId } : { baseId }),
        },
        select: { batchId: true },
      }))
        matchingIds.add(batchId);
    return matchingIds;
  };
  for (const batchId of await atPlace(open.map(({ id }) => id)))
    for await (const document of readWaitingDocuments(read, batchId)) {
      const recordId = getRecordId(document);
      if (wanted.has(recordId)) inProgress.add(recordId);
    }
  for (let at = 0; at < recordIds.length; at += chunkSize) {
    const cells = recordIds
      .slice(at, at + chunkSize)
      .map((id) => getCellKey(place, id));
    const rows = await read.find(WriteBack, {
      where: [
        { cell: In(cells), status: "pending" },
        {
          cell: In(cells),
          status: "succeeded",
          completedAt: MoreThan(new Date(since.getTime() - 1)),
        },
      ],
      select: { documentId: true, batchId: true, recordId: true },
    });
    const batchesAtPlace = await atPlace([
      ...new Set(rows.map((row) => row.batchId)),
    ]);
    for (const { batchId, recordId } of rows)
      if (batchesAtPlace.has(batchId)) inProgress.add(recordId);
  }
  return inProgress;
}

/** The documents of a batch that have not ended. */
async function* readWaitingDocuments(
  read: EntityManager,
  batchId: string,
): AsyncGenerator<Pick<Document, "metadata">> {
  for (let last = -1; ;) {
    const rows = await read.find(Document, {
      where: {
        batchId,
        batchIndex: MoreThan(last),
        status: In(["queued", "rendering"]),
      },
      select: { id: true, batchIndex: true, metadata: true },
      order: { batchIndex: "ASC" },
      take: chunkSize,
    });
    yield* rows;
    if (rows.length < chunkSize) return;
    last = rows.at(-1)?.batchIndex ?? last;
  }
}
