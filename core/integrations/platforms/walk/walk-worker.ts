import { setMaxListeners } from "node:events";
import { type EntityManager, In } from "typeorm";
import { DOCUMENT_JOB, endDocuments } from "../../../batches/index.js";
import { errorText, type Log, PlatenError } from "../../../plugin-api/index.js";
import type { EventNudge } from "../../../webhooks/index.js";
import type { JobOutcome, Queue, RunningJob } from "../../../queue/index.js";
import {
  type Document,
  DocumentRecord,
  insertRows,
  RecordBatch,
  type Store,
} from "../../../storage/database/index.js";
import type { Connections } from "../connections.js";
import type { PlatformCounts } from "../platform-counts.js";
import { laterMs } from "../later.js";
import { groupOfJob } from "../record-group.js";
import { recordIdOf } from "../record-id.js";
import { type Brought, bringRecords } from "./bring-records.js";
import { waitingDocuments } from "./waiting-documents.js";

export interface WalkParts {
  store: Store;
  queue: Queue;
  connections: Connections;
  events: EventNudge;
  counts: PlatformCounts;
  log: Log;
}

/** Fetches of one group that may fail before its documents do; the queue waits longer before each. */
export const maxWalks = 5;
/** Data may be large, and a statement must fit into one packet of MySQL. */
const recordsPerInsert = 10;

/** Fetches the records of one group of documents for each job, and wakes the documents. */
export class WalkWorker {
  constructor(private readonly parts: WalkParts) {}

  async work(job: RunningJob): Promise<JobOutcome> {
    const group = groupOfJob(job.rowId);
    const { read } = this.parts.store;
    const { batchId } = group;
    const order = await read.findOneBy(RecordBatch, { batchId });
    const documents = await waitingDocuments(read, group);
    if (order === null || documents.length === 0) return;
    try {
      const brought = await this.#bring(order, documents, job.signal);
      await this.#keep(job, order, documents, brought);
    } catch (error) {
      const later = job.signal.aborted ? null : laterMs(error);
      if (later !== null) return { again: later };
      if (job.signal.aborted || (isRetryable(error) && job.attempt < maxWalks))
        throw error;
      this.parts.log.warn({ batchId, err: error }, "records were not fetched");
      await this.#fail(job, documents, errorText(error));
    }
  }

  /** A group under which its process ended time after time. */
  async poison(rowId: string, attempts: number): Promise<void> {
    const { store, events } = this.parts;
    const documents = await waitingDocuments(store.read, groupOfJob(rowId));
    const error = `The records could not be fetched: the process that tried ended ${attempts} times.`;
    await store.unitOfWork.run((tx) => failAll(tx, documents, error));
    events.nudge();
  }

  async #bring(
    { organizationId, connectionId, ...order }: RecordBatch,
    documents: readonly Document[],
    signal: AbortSignal,
  ): Promise<Map<string, Brought>> {
    const { connections } = this.parts;
    const opened = await connections.open(organizationId, connectionId);
    const ids = documents.map(recordIdOf);
    // Each of the reads that run at once listens to it.
    setMaxListeners(0, signal);
    return bringRecords(opened.platform, order, ids, { signal });
  }

  /** The data of all that were found, their wake-ups, the ends of the others and of the job: together. */
  async #keep(
    job: RunningJob,
    { batchId, organizationId }: RecordBatch,
    documents: readonly Document[],
    brought: ReadonlyMap<string, Brought>,
  ): Promise<void> {
    const { store, queue, events, counts } = this.parts;
    await store.unitOfWork.run(async (tx) => {
      await job.complete(tx);
      const records: DocumentRecord[] = [];
      for (const document of documents) {
        const found = brought.get(recordIdOf(document));
        const documentId = document.id;
        if (found && "json" in found)
          records.push({ documentId, batchId, data: found.json });
        else if (found) await failAll(tx, [document], errorText(found.error));
      }
      for (let at = 0; at < records.length; at += recordsPerInsert) {
        const some = records.slice(at, at + recordsPerInsert);
        await insertRows(tx, DocumentRecord, some);
      }
      const jobs = records.map(({ documentId }) => ({
        kind: DOCUMENT_JOB,
        rowId: documentId,
        partitionKey: organizationId,
      }));
      await queue.enqueue(tx, jobs);
    });
    queue.nudge(DOCUMENT_JOB);
    events.nudge();
    for (const one of brought.values())
      counts.record("json" in one ? "fetched" : "failed");
  }

  async #fail(
    job: RunningJob,
    documents: readonly Document[],
    error: string,
  ): Promise<void> {
    await this.parts.store.unitOfWork.run(async (tx) => {
      await job.complete(tx);
      await failAll(tx, documents, error);
    });
    const { events, counts } = this.parts;
    events.nudge();
    documents.forEach(() => counts.record("failed"));
  }
}

async function failAll(
  tx: EntityManager,
  documents: readonly Document[],
  error: string,
): Promise<void> {
  const id = In(documents.map((document) => document.id));
  await endDocuments(tx, { id }, { status: "failed", error });
}

/** What is not ours to understand may pass. */
function isRetryable(error: unknown): boolean {
  return !(error instanceof PlatenError) || error.retryable;
}
