import { randomUUID } from "node:crypto";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  rm,
  stat,
  unlink,
} from "node:fs/promises";
import { join } from "node:path";
import { clock } from "./clock.js";

// Temporary files for data that is too large for memory. They have no name, so they end with their process.

const minLeftoverAgeMs = 60_000;

/** Opens an empty file for reading and writing that no longer has a name. Creates the folder if necessary. */
export async function openUnlinkedFile(
  folder: string,
  prefix: string,
): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${prefix}${randomUUID()}`);
  const handle = await open(path, "wx+", 0o600);
  await unlink(path);
  return handle;
}

/** Removes the empty files of processes that were killed between opening and unlinking. */
export async function removeLeftoverFiles(
  folder: string,
  prefix: string,
): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((fileName) => fileName.startsWith(prefix))) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => null);
    if (stats && clock.now() - stats.mtimeMs > minLeftoverAgeMs)
      await rm(path, { force: true });
  }
}
