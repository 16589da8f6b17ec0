import { type EntityManager, In } from "typeorm";
import type { FileStore } from "../contract/index.js";
import { Document, KeptFile } from "../store/index.js";
import { documentOfOutput } from "./file-key.js";

const chunk = 200;
/** Longer than any render takes: between a file and its row, others' files look like orphans too. */
const youngestMs = 60 * 60_000;

/**
 * Deletes files of outputs that no row names: a crash between the file and the row leaves them. @returns how many.
 */
export async function deleteOrphanedOutputs(
  read: EntityManager,
  files: FileStore,
  now: Date,
): Promise<number> {
  const before = new Date(now.getTime() - youngestMs);
  let total = 0;
  let keys: string[] = [];
  for await (const key of files.keys("outputs")) {
    if (documentOf(key) === null) continue;
    keys.push(key);
    if (keys.length < chunk) continue;
    total += await deleteUnnamed(read, files, keys, before);
    keys = [];
  }
  return total + (await deleteUnnamed(read, files, keys, before));
}

async function deleteUnnamed(
  read: EntityManager,
  files: FileStore,
  keys: string[],
  before: Date,
): Promise<number> {
  const named = await namedKeys(read, keys);
  let total = 0;
  for (const key of keys.filter((one) => !named.has(one)))
    if (await files.deleteIfOlder(key, before)) total += 1;
  return total;
}

async function namedKeys(
  read: EntityManager,
  keys: string[],
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
