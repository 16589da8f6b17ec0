import { access, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { makeOwnedFolder } from "./owned-folder.js";

/**
 * Fills a folder exactly once, also when several processes try at the same time or one is killed half way: it is
 * filled under another name and then renamed, so a folder that exists is complete.
 */
export async function unpackOnce(
  target: string,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  if (await exists(target)) return;
  const draft = await makeOwnedFolder(dirname(target), "draft");
  try {
    await fill(draft);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(target))) throw error;
  }
}

export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
