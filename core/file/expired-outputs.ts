import { In, LessThanOrEqual } from "typeorm";
import type { FileStore } from "../contract/index.js";
import { Document, type Store } from "../store/index.js";

const chunk = 200;

/** Deletes the files of documents whose time is over, chunk by chunk; the rows stay. @returns how many documents. */
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
    for (const { outputs } of rows)
      for (const { storageKey } of outputs) await files.delete(storageKey);
    await markPurged(
      store,
      rows.map(({ id }) => id),
    );
    total += rows.length;
    if (rows.length < chunk) return total;
  }
}

/** After the files are gone, so that a crash in between only deletes them again. */
async function markPurged(
  store: Pick<Store, "unitOfWork">,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return;
  await store.unitOfWork.run(async (tx) => {
    await tx.update(Document, { id: In(ids) }, { purgeAt: null });
  });
}
