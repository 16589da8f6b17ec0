import { createHash } from "node:crypto";
import { createPartitionKey, type NewJob } from "../../queue/index.js";
import type {
  Document,
  RecordBatch,
  WriteBack,
} from "../../storage/database/index.js";
import type { CallLimits } from "../host/index.js";

/** Fetches the data of one group of a batch's documents; the job's row is the group. */
export const FETCH_JOB = "fetch";

/**
 * Writes the files of documents into one cell, one document after the other; the job's row is the cell. As a cell has one
 * job, no two write to it at the same time.
 */
export const WRITE_BACK_JOB = "write-back";

/** The number of documents whose records are fetched together, to share the reads of linked tables. */
export const groupSize = 100;

/** Consecutive documents of a batch. */
export interface RecordGroup {
  batchId: string;
  /** 0-based. */
  number: number;
}

export function getGroup(batchId: string, batchIndex: number): RecordGroup {
  return { batchId, number: Math.floor(batchIndex / groupSize) };
}

export function listGroups(batchId: string, totalCount: number): RecordGroup[] {
  const length = Math.ceil(totalCount / groupSize);
  return Array.from({ length }, (_, number) => ({ batchId, number }));
}

/** What a job calls, and whether someone waits for it. */
type JobTarget = Pick<
  RecordBatch,
  "organizationId" | "connectionId" | "baseId" | "isUrgent"
>;

/** Equal for jobs whose calls share a rate limit: the jobs of a base, through one connection. */
export function getPartitionKey({
  organizationId,
  connectionId,
  baseId,
}: Omit<JobTarget, "isUrgent">): string {
  return createPartitionKey(organizationId, connectionId, baseId);
}

export function createFetchJob(
  { batchId, number }: RecordGroup,
  target: JobTarget,
): NewJob {
  const rowId = `${batchId}:${number}`;
  const partitionKey = getPartitionKey(target);
  const { isUrgent } = target;
  return { kind: FETCH_JOB, rowId, partitionKey, isUrgent };
}

/** The group of a fetch job. */
export function parseGroup(rowId: string): RecordGroup {
  const [batchId = "", number] = rowId.split(":");
  return { batchId, number: Number(number) };
}

export function createWriteBackJob(
  { cell }: Pick<WriteBack, "cell">,
  target: JobTarget,
): NewJob {
  const partitionKey = getPartitionKey(target);
  const { isUrgent } = target;
  return { kind: WRITE_BACK_JOB, rowId: cell, partitionKey, isUrgent };
}

/** The same for all that an organization writes to a cell, through any of its connections. */
export function getCellKey(
  {
    organizationId,
    baseId,
    tableId,
    fieldId,
  }: Pick<RecordBatch, "organizationId" | "baseId" | "tableId" | "fieldId">,
  recordId: string,
): string {
  const cell = [organizationId, baseId, tableId, fieldId, recordId];
  return createHash("sha256").update(JSON.stringify(cell)).digest("hex");
}

/** The first record of a document in a platform's batch. */
export function getRecordId({ metadata }: Pick<Document, "metadata">): string {
  const id = metadata?.recordId;
  return typeof id === "string" ? id : "";
}

/** All records of a document in a platform's batch. */
export function getRecordIds({
  metadata,
}: Pick<Document, "metadata">): string[] {
  const ids = metadata?.["recordIds"];
  return Array.isArray(ids) ? ids.map(String) : [getRecordId({ metadata })];
}

/** The longest time that a job waits for a rate limit; after that, it leaves its slot to others. */
export const maxWaitMs = 1000;

export function createCallLimits(
  { isUrgent }: Pick<RecordBatch, "isUrgent">,
  signal: AbortSignal,
): CallLimits {
  return { signal, maxWaitMs, priority: isUrgent ? "urgent" : "batch" };
}
