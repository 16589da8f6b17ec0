import type { Dirent, Stats } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  type FileHandle,
} from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/index.js";

// The permissions of what the service stores on this machine: no other user may read or write it, whatever the umask is
// and whatever the permissions were before.

type Place = Pick<Config, "dataFolder" | "database">;

const permissionsOfOthers = 0o077;
const stickyBit = 0o1000;

/** What the service writes into the data folder, except for the database, by name. */
const ownNames =
  /^(?:platen\.sqlite.*|secret(?:\..*)?|demo-(?:key|invoice|contract)\..*|files|uploads|esign)$/;

/** Folders that others may write into, such as plugins; they are closed by the data folder alone. */
const sharedNames = /^(?:plugins|databases|render)$/;

/**
 * Creates the data folder and the SQLite database's file if they do not exist, and closes them and the service's own
 * entries in the data folder to other users. `closeDataFolder` closes what is below, which may take longer.
 */
export async function prepareDataFolder(place: Place): Promise<ClosedPaths> {
  const { dataFolder, database } = place;
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  // SQLite gives its other files the permissions of this one.
  if (database.kind === "sqlite") await createClosedFile(database.file);
  return closeAll(await listTop(place));
}

export interface ClosedPaths {
  /** What other users could read or write until now. */
  closed: string[];
  /** What they still can, because it belongs to another user. */
  refused: string[];
}

/** Closes everything that the service stores on this machine to other users. */
export async function closeDataFolder(place: Place): Promise<ClosedPaths> {
  return closeAll(walk(place));
}

async function closeAll(
  paths: AsyncIterable<string> | Iterable<string>,
): Promise<ClosedPaths> {
  const result: ClosedPaths = { closed: [], refused: [] };
  for await (const path of paths) {
    const state = await close(path);
    if (state !== "unchanged") result[state].push(path);
  }
  return result;
}

/** What other users can read or write; changes nothing. */
export async function findOpenPaths(place: Place): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of walk(place)) {
    const stats = await lstatIfExists(path);
    if (stats !== null && isOpen(stats)) paths.push(path);
  }
  return paths;
}

async function createClosedFile(file: string): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(file, "ax", 0o600);
  } catch {
    // It exists, or cannot be created, which opening the database reports.
    return;
  }
  await handle.close();
}

/** The data folder, unless it is shared, with the service's own entries in it, and the database's files. */
async function listTop(place: Place): Promise<string[]> {
  const { database } = place;
  const dataFolder = await resolveLink(place.dataFolder);
  const entries = await listFolder(dataFolder);
  const ownEntries = entries.filter(({ name }) => ownNames.test(name));
  const isShared = await isSharedFolder(dataFolder, entries);
  const files =
    database.kind === "sqlite"
      ? ["", "-wal", "-shm", "-journal"].map((end) => database.file + end)
      : [];
  return [
    ...new Set([
      ...(isShared ? [] : [dataFolder]),
      ...ownEntries.map(({ name }) => join(dataFolder, name)),
      ...files,
    ]),
  ];
}

/**
 * Whether a folder belongs to more than this service, such as `/tmp` or `/var/lib`: others' files are in it, so closing
 * it would do harm.
 */
async function isSharedFolder(
  folder: string,
  entries: readonly Dirent[],
): Promise<boolean> {
  const stats = await lstatIfExists(folder);
  if (stats === null || (stats.mode & stickyBit) !== 0) return true;
  for (const { name } of entries) {
    if (ownNames.test(name) || sharedNames.test(name)) continue;
    const other = await lstatIfExists(join(folder, name));
    if (other !== null && other.uid !== stats.uid) return true;
  }
  return false;
}

/** The data folder may be a link to another disk. */
function resolveLink(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}

/** The same as `listTop`, with everything below. Symbolic links are not followed. */
async function* walk(place: Place): AsyncGenerator<string> {
  const dataFolder = await resolveLink(place.dataFolder);
  for (const path of await listTop(place)) {
    yield path;
    if (path !== dataFolder) yield* walkBelow(path);
  }
}

async function* walkBelow(path: string): AsyncGenerator<string> {
  for (const entry of await listFolder(path)) {
    const inner = join(path, entry.name);
    yield inner;
    if (entry.isDirectory()) yield* walkBelow(inner);
  }
}

/** The entries of a folder; none of what is no folder or is gone. */
function listFolder(path: string): Promise<Dirent[]> {
  return readdir(path, { withFileTypes: true }).catch(() => []);
}

function lstatIfExists(path: string): Promise<Stats | null> {
  return lstat(path).catch(() => null);
}

/** Whether other users have any permission. Windows has no such permissions, and those of symbolic links mean nothing. */
function isOpen(stats: Stats): boolean {
  return (
    process.platform !== "win32" &&
    !stats.isSymbolicLink() &&
    (stats.mode & permissionsOfOthers) !== 0
  );
}

/** Removes the permissions of other users. */
async function close(
  path: string,
): Promise<"closed" | "unchanged" | "refused"> {
  const stats = await lstatIfExists(path);
  if (stats === null || !isOpen(stats)) return "unchanged";
  try {
    await chmod(path, stats.mode & 0o700);
    return "closed";
  } catch {
    return "refused";
  }
}
