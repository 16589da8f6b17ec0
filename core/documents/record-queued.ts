import type { EntityManager } from "typeorm";
import { countUsage } from "../accounts/index.js";
import {
  changeRows,
  type Document,
  instantText,
  marks,
} from "../storage/database/index.js";
import type { SucceededDocument } from "./render-pipeline.js";

/** A claimed row and its outcome. */
export interface QueuedSuccess {
  row: Document;
  ended: SucceededDocument;
}

/**
 * Records queued documents that end together, with one unit of usage for each.
 * @returns false when a claim was lost; then the caller must roll back the transaction.
 */
export async function recordQueuedSucceeded(
  tx: EntityManager,
  successes: readonly QueuedSuccess[],
): Promise<boolean> {
  const changed = await publishAll(tx, successes);
  if (changed !== successes.length) return false;
  await countAll(tx, successes);
  return true;
}

function publishAll(
  tx: EntityManager,
  successes: readonly QueuedSuccess[],
): Promise<number> {
  const ids = successes.map(({ row }) => row.id);
  const tokens = successes.map(({ row }) => row.lockToken ?? "");
  const own = (valueOf: (success: QueuedSuccess) => string) => ({
    text: `CASE id ${ids.map(() => "WHEN ? THEN ?").join(" ")} END`,
    values: successes.flatMap((one) => [one.row.id, valueOf(one)]),
  });
  const outputs = own(({ ended }) => JSON.stringify(ended.outputs));
  const metadata = own(metadataOf);
  const fileName = own(({ ended }) => ended.fileName);
  const at = own(({ ended }) => instantText(ended.completedAt));
  return changeRows(
    tx,
    `UPDATE document SET status = 'succeeded', outputs = ${outputs.text}, metadata = ${metadata.text},
       file_name = ${fileName.text}, completed_at = ${at.text}, updated_at = ${at.text},
       purge_at = expires_at, error = NULL, attempts = attempts + 1, is_retrying = 0,
       lock_token = NULL, locked_until = NULL
     WHERE id IN (${marks(ids)}) AND lock_token IN (${marks(tokens)}) AND status = 'rendering'`,
    [outputs, metadata, fileName, at, at]
      .flatMap(({ values }) => values)
      .concat(ids, tokens),
  );
}

function metadataOf({ row, ended: { report } }: QueuedSuccess): string {
  return JSON.stringify({ ...row.metadata, platen: { report } });
}

/** Always in the same order, so that two transactions cannot deadlock. */
async function countAll(
  tx: EntityManager,
  successes: readonly QueuedSuccess[],
): Promise<void> {
  const live = successes.filter(({ row }) => !row.isTest);
  const organizations = new Set(live.map(({ row }) => row.organizationId));
  for (const id of [...organizations].toSorted()) {
    const ofOne = live.filter(({ row }) => row.organizationId === id);
    const at = ofOne[0]?.ended.completedAt ?? new Date();
    await countUsage(tx, id, "documents", ofOne.length, at);
  }
}
