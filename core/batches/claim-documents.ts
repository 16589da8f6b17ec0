import { randomUUID } from "node:crypto";
import { type EntityManager, In } from "typeorm";
import {
  changeRows,
  Document,
  DocumentRecord,
  GroupCommit,
  instantText,
  marks,
  type Store,
} from "../storage/database/index.js";

/** A document under this worker's claim. */
export type ClaimedDocument = Document & { batchId: string; lockToken: string };

export interface DocumentClaim {
  row: ClaimedDocument;
  /** The root record as JSON; null when it is not there, or not yet. */
  data: string | null;
}

export type ClaimDocuments = GroupCommit<string, DocumentClaim | null>;

/** Those whose jobs were taken together are claimed together. */
const together = { gatherMs: 5, most: 50 };

/**
 * Takes documents for one render each, also from whoever holds them: the queue hands a job to one worker at a time, so
 * that worker is gone, or too slow; its saves name an old token and change nothing. Null for one that has ended.
 */
export function claimsOfDocuments({
  unitOfWork,
}: Pick<Store, "unitOfWork">): ClaimDocuments {
  return new GroupCommit(unitOfWork, claimAll, together);
}

async function claimAll(
  tx: EntityManager,
  ids: readonly string[],
): Promise<(DocumentClaim | null)[]> {
  const lockToken = randomUUID();
  await changeRows(
    tx,
    // MySQL sets the columns in this order: what asks for the status stands before it.
    `UPDATE document SET
       interruptions = CASE WHEN status = 'rendering' THEN interruptions + 1 ELSE interruptions END,
       status = 'rendering', lock_token = ?, updated_at = ?
     WHERE id IN (${marks(ids)}) AND status IN ('queued', 'rendering') AND batch_id IS NOT NULL`,
    [lockToken, instantText(new Date()), ...ids],
  );
  const rows = await tx.findBy(Document, { id: In(ids), lockToken });
  const records = await tx.findBy(DocumentRecord, { documentId: In(ids) });
  return ids.map((id) => {
    const row = rows.find((one) => one.id === id);
    const record = records.find(({ documentId }) => documentId === id);
    return claimOf(row, record?.data ?? null);
  });
}

function claimOf(
  row: Document | undefined,
  data: string | null,
): DocumentClaim | null {
  if (!row || row.batchId === null || row.lockToken === null) return null;
  const { batchId, lockToken } = row;
  return { row: Object.assign(row, { batchId, lockToken }), data };
}
