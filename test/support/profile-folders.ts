import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { RENDER_CACHE } from "./renderer.js";

/** Folders of the browsers that a process started. */
export async function profileFolders(pid: number): Promise<string[]> {
  const names = await readdir(join(RENDER_CACHE, "profiles"));
  return names.filter((name) => name.startsWith(`profile-${pid}-`));
}
