import { type EntityManager, IsNull, Not } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import { Asset, Folder, Template } from "../storage/database/index.js";

/**
 * Lets go of a folder that is to be deleted: what is in the trash leaves it for the top.
 * @throws PlatenError `conflict` that counts what else is in it.
 */
export async function emptyFolder(
  tx: EntityManager,
  { id, organizationId }: Folder,
): Promise<void> {
  const inside = { folderId: id, organizationId };
  const kept = { ...inside, trashedAt: IsNull() };
  const counts = {
    folder: await tx.countBy(Folder, { parentId: id, organizationId }),
    template: await tx.countBy(Template, kept),
    asset: await tx.countBy(Asset, kept),
  };
  const words = Object.entries(counts).flatMap(([what, count]) =>
    count === 0 ? [] : [`${count} ${what}${count === 1 ? "" : "s"}`],
  );
  if (words.length > 0) throw notEmpty(words);
  const trashed = { ...inside, trashedAt: Not(IsNull()) };
  await tx.update(Template, trashed, { folderId: null });
  await tx.update(Asset, trashed, { folderId: null });
}

function notEmpty(words: readonly string[]): PlatenError {
  return new PlatenError(
    "conflict",
    `The folder is not empty: ${words.join(", ")}. Move or delete what is in it first.`,
  );
}
