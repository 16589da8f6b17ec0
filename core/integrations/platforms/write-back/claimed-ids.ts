import { type EntityManager, Not } from "typeorm";
import { WriteBack } from "../../../storage/database/index.js";

/** The attachments of a cell that our ledger knows to be other files. */
export async function claimedIds(
  read: EntityManager,
  { cell, documentId, files }: WriteBack,
): Promise<Set<string>> {
  const others = await read.find(WriteBack, {
    where: { cell, documentId: Not(documentId) },
    select: { documentId: true, files: true },
  });
  const known = [...others.flatMap((one) => one.files), ...files];
  return new Set(known.flatMap(({ remoteId }) => remoteId ?? []));
}
