import { type EntityManager, In, LessThanOrEqual } from "typeorm";
import type { FileStore } from "../../plugin-api/index.js";
import { Document, KeptFile, type Store } from "../database/index.js";

const chunk = 200;

/**
 * Deletes the files of documents whose time is over, chunk by chunk, but for those that are kept longer; the rows stay.
 * @returns how many documents.
 */
export async function deleteExpiredOutputs(
  store: Pick<Store, "read" | "unitOfWork">,
  files: FileStore,
  now: Date,
): Promise<number> {
  let total = 0;
  for (;;) {
    const rows = await store.read.find(Document, {
      where: { purgeAt: LessThanOrEqual(now) },
      select: { id: true, outputs: true },
      order: { purgeAt: "ASC" },
      take: chunk,
    });
    const ids = rows.map(({ id }) => id);
    const kept = await keptFiles(store.read, ids, now);
    for (const { outputs } of rows)
      for (const { storageKey } of outputs)
        if (!kept.has(storageKey)) await files.delete(storageKey);
    await markPurged(store, ids, now);
    total += rows.length;
    if (rows.length < chunk) return total;
  }
}

/** The files of these documents that are to be kept, and until when; null: until they are let go. */
async function keptFiles(
  read: EntityManager,
  documentIds: readonly string[],
  now: Date,
): Promise<Map<string, KeptFile>> {
  const rows = await read.findBy(KeptFile, { documentId: In(documentIds) });
  const kept = rows.filter(
    ({ keepUntil }) => keepUntil === null || keepUntil > now,
  );
  return new Map(kept.map((row) => [row.storageKey, row]));
}

/**
 * After the files are gone, so that a crash in between only deletes them again. A document that has files yet comes back
 * when the time of the first of them is over; the rows are changed before this is looked at, so that whoever keeps
 * another one meanwhile waits, and then has the document come back.
 */
async function markPurged(
  store: Pick<Store, "unitOfWork">,
  ids: string[],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await store.unitOfWork.run(async (tx) => {
    const due = { id: In(ids), purgeAt: LessThanOrEqual(now) };
    await tx.update(Document, due, { purgeAt: null });
    await tx.delete(KeptFile, {
      documentId: In(ids),
      keepUntil: LessThanOrEqual(now),
    });
    const kept = await keptFiles(tx, ids, now);
    for (const [id, purgeAt] of nextEnds([...kept.values()]))
      await tx.update(Document, { id }, { purgeAt });
  });
}

function nextEnds(kept: readonly KeptFile[]): Map<string, Date> {
  const ends = new Map<string, Date>();
  for (const { documentId, keepUntil } of kept) {
    const known = ends.get(documentId);
    const isFirst = keepUntil && (known === undefined || keepUntil < known);
    if (isFirst) ends.set(documentId, keepUntil);
  }
  return ends;
}
