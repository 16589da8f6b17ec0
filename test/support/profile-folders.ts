import { readdir } from "node:fs/promises";
import { join } from "node:path";
import {
  browserUser,
  makePrivateFolder,
} from "../../core/rendering/browser/browser-installation.js";
import { RENDER_CACHE } from "./renderer.js";

/** Folders of the browsers that a process started, wherever its browser's user may go. */
export async function profileFolders(pid: number): Promise<string[]> {
  const folder = await makePrivateFolder(RENDER_CACHE, browserUser());
  const names = await readdir(join(folder, "profiles"));
  return names.filter((name) => name.startsWith(`profile-${pid}-`));
}
