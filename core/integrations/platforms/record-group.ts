import type { NewJob } from "../../queue/index.js";

/** Brings the data of one group of a batch's documents; the job's row is the group. */
export const WALK_JOB = "walk";

/** Documents whose records are fetched together, so that they share the reads of linked tables. */
export const groupSize = 100;

/** Documents of a batch that lie beside each other in it. */
export interface RecordGroup {
  batchId: string;
  /** 0-based. */
  number: number;
}

export function groupOf(batchId: string, batchIndex: number): RecordGroup {
  return { batchId, number: Math.floor(batchIndex / groupSize) };
}

/** All groups of a batch of so many documents. */
export function groupsOf(batchId: string, totalCount: number): RecordGroup[] {
  const length = Math.ceil(totalCount / groupSize);
  return Array.from({ length }, (_, number) => ({ batchId, number }));
}

export function walkJob(
  { batchId, number }: RecordGroup,
  organizationId: string,
): NewJob {
  const rowId = `${batchId}:${number}`;
  return { kind: WALK_JOB, rowId, partitionKey: organizationId };
}

/** The group that a job names. */
export function groupOfJob(rowId: string): RecordGroup {
  const [batchId = "", number] = rowId.split(":");
  return { batchId, number: Number(number) };
}
