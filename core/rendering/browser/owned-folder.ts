import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { processStart } from "./process-tree.js";

/**
 * A temporary folder whose name says which process it belongs to (`kind-pid-start-random`), so that whoever starts
 * next can tell what a killed process left behind from what is in use.
 */
export async function makeOwnedFolder(
  parent: string,
  kind: string,
): Promise<string> {
  const start = (await processStart(process.pid)) ?? "0";
  return mkdtemp(join(parent, `${kind}-${process.pid}-${start}-`));
}

/** Removes the owned folders of processes that are no more. */
export async function removeOrphanedFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid, start] = name.match(/^[a-z]+-(\d+)-(\d+)-/) ?? [];
    if (pid === undefined) continue;
    if ((await processStart(Number(pid))) === start) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
}
