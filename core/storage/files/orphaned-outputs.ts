import { type EntityManager, In } from "typeorm";
import type { FileStore } from "../../plugin-api/index.js";
import { Document, KeptFile } from "../database/index.js";
import { deleteUnnamed } from "./delete-unnamed.js";
import { documentOfOutput } from "./file-key.js";

/** Deletes files of outputs that no row names. @returns how many. */
export function deleteOrphanedOutputs(
  read: EntityManager,
  files: FileStore,
  now: Date,
): Promise<number> {
  const outputs = {
    folder: "outputs",
    chunk: 200,
    isOurs: (key: string) => documentOf(key) !== null,
    namedAmong: (keys: readonly string[]) => namedKeys(read, keys),
  };
  return deleteUnnamed(files, outputs, now);
}

async function namedKeys(
  read: EntityManager,
  keys: readonly string[],
): Promise<Set<string>> {
  const ids = keys.map(documentOf);
  const rows = await read.find(Document, {
    where: { id: In([...new Set(ids.filter((id) => id !== null))]) },
    select: { id: true, outputs: true },
  });
  const kept = await read.findBy(KeptFile, { storageKey: In(keys) });
  const outputs = rows.flatMap((row) => row.outputs);
  return new Set([...outputs, ...kept].map(({ storageKey }) => storageKey));
}

function documentOf(key: string): string | null {
  return documentOfOutput(key.slice(key.lastIndexOf("/") + 1));
}
