import type { EntityManager } from "typeorm";
import type { Output } from "../plugin-api/index.js";
import {
  changeRows,
  insertRows,
  KeptFile,
  type SignatureRequest,
} from "../storage/database/index.js";

// Files that outlive their document's expiry. The sweep of files leaves them alone; whenever that changes, it is to look
// at the document again.

/** The PDF is at the provider, or will never be: from now on it ends with its document. */
export async function letSourceGo(
  tx: EntityManager,
  { source, documentId }: Pick<SignatureRequest, "source" | "documentId">,
): Promise<void> {
  if (source === null) return;
  await tx.delete(KeptFile, { storageKey: source.storageKey });
  await sweepAgain(tx, documentId);
}

export async function keepOutputs(
  tx: EntityManager,
  documentId: string,
  outputs: readonly Output[],
  keepUntil: Date,
): Promise<void> {
  const rows = outputs.map(({ storageKey }) => ({
    storageKey,
    documentId,
    keepUntil,
  }));
  await insertRows(tx, KeptFile, rows);
  await sweepAgain(tx, documentId);
}

async function sweepAgain(
  tx: EntityManager,
  documentId: string,
): Promise<void> {
  await changeRows(
    tx,
    "UPDATE document SET purge_at = expires_at WHERE id = ?",
    [documentId],
  );
}
