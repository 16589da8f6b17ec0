import { chmod, chown, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { canReach, type BrowserUser } from "./browser-user.js";

/** Root's folder for services: taken when the wanted one lies where the browser's user may not go. */
const SYSTEM_CACHE = "/var/cache/platen";

/**
 * Makes the folder that nobody but we and the browser's user can enter. The browser's user may read there and not
 * write, so that a page that breaks out of its sandbox cannot change the program that prints the next one.
 */
export async function makePrivateFolder(
  wanted: string,
  user: BrowserUser | null,
): Promise<string> {
  await mkdir(dirname(wanted), { recursive: true });
  const isReachable = user === null || (await canReach(wanted, user));
  const folder = isReachable ? wanted : SYSTEM_CACHE;
  await mkdir(folder, { recursive: true });
  if (user) await chown(folder, 0, user.gid);
  await chmod(folder, user ? 0o750 : 0o700);
  return folder;
}

/** Makes a folder that belongs to the browser's user. */
export async function makeBrowserFolder(
  folder: string,
  user: BrowserUser | null,
): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (user) await chown(folder, user.uid, user.gid);
  return folder;
}

/** Lets the browser's user read and run everything below a folder, whatever the umask was. */
export async function shareTree(
  folder: string,
  user: BrowserUser | null,
): Promise<void> {
  if (!user) return;
  const entries = await readdir(folder, { recursive: true });
  for (const path of [folder, ...entries.map((name) => join(folder, name))]) {
    await chown(path, 0, user.gid);
    await chmod(path, 0o750);
  }
}
