import { chmodSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installBrowser } from "../../core/rendering/index.js";
import { RENDER_CACHE } from "./renderer.js";

/** A program that starts the shipped browser, until it is taken away. */
export interface ReplaceableBrowser {
  path: string;
  takeAway(): void;
  bringBack(): void;
}

/** Writes it into a folder that everybody may enter, since the browser's user has to. */
export async function replaceableBrowser(
  folder: string,
): Promise<ReplaceableBrowser> {
  chmodSync(folder, 0o755);
  const { executable, libraries } = await installBrowser(RENDER_CACHE);
  const path = join(folder, "browser");
  const lines = [
    "#!/bin/sh",
    `export LD_LIBRARY_PATH=${libraries}`,
    `exec ${executable} "$@"`,
  ];
  writeFileSync(path, lines.join("\n"));
  chmodSync(path, 0o755);
  return {
    path,
    takeAway: () => renameSync(path, `${path}.away`),
    bringBack: () => renameSync(`${path}.away`, path),
  };
}
