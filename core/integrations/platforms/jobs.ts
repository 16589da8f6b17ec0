import { createHash } from "node:crypto";
import { PlatenError } from "../../plugin-api/index.js";
import type { NewJob } from "../../queue/index.js";
import type {
  Document,
  RecordBatch,
  WriteBack,
} from "../../storage/database/index.js";

/** Fetches the data of one group of a batch's documents; the job's row is the group. */
export const FETCH_JOB = "walk";

/** Writes one document's files into its record's cell; the job's row is the document. */
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

/** All groups of a batch with this many documents. */
export function listGroups(batchId: string, totalCount: number): RecordGroup[] {
  const length = Math.ceil(totalCount / groupSize);
  return Array.from({ length }, (_, number) => ({ batchId, number }));
}

export function createFetchJob(
  { batchId, number }: RecordGroup,
  organizationId: string,
): NewJob {
  const rowId = `${batchId}:${number}`;
  return { kind: FETCH_JOB, rowId, partitionKey: organizationId };
}

/** The group of a fetch job. */
export function parseGroup(rowId: string): RecordGroup {
  const [batchId = "", number] = rowId.split(":");
  return { batchId, number: Number(number) };
}

/** Few, so that an organization with many cells gets its turn like every other. */
const locksPerOrganization = 16;

/**
 * The jobs of a partition run one at a time, over all processes, so that no two write to the same cell. Several cells
 * share a partition.
 */
export function createWriteBackJob({
  documentId,
  organizationId,
  cell,
}: Pick<WriteBack, "documentId" | "organizationId" | "cell">): NewJob {
  const lock = Number.parseInt(cell.slice(0, 4), 16) % locksPerOrganization;
  const partitionKey = `${organizationId}:${lock}`;
  return { kind: WRITE_BACK_JOB, rowId: documentId, partitionKey };
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

/** The record of a document in a platform's batch. */
export function getRecordId({ metadata }: Pick<Document, "metadata">): string {
  const id = metadata?.recordId;
  return typeof id === "string" ? id : "";
}

const minDelayMs = 5000;

/**
 * When to try again after a platform's rate limit, in milliseconds; null for any other error. A rate limit does not count
 * as a failure.
 */
export function getRateLimitDelay(error: unknown): number | null {
  if (!(error instanceof PlatenError) || error.code !== "busy") return null;
  return Math.max(minDelayMs, (error.retryAfterSeconds ?? 0) * 1000);
}

/** Whether another attempt may succeed. Unexpected errors may be temporary. */
export function isRetryable(error: unknown): boolean {
  return !(error instanceof PlatenError) || error.retryable;
}
