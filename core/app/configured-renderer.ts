import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/index.js";
import type { Log } from "../plugin-api/index.js";
import type { PackageInfo } from "../lib/package-info.js";
import { createRenderer, type Renderer } from "../rendering/index.js";

/** The renderer that the configuration asks for, not yet started. */
export function configuredRenderer(
  { render, dataFolder }: Pick<Config, "render" | "dataFolder">,
  { folder }: PackageInfo,
  log: Log,
): Renderer {
  const { executablePath, ...settings } = render;
  const cache = join(folder, ".cache");
  return createRenderer({
    ...settings,
    ...(executablePath !== null && { executablePath }),
    // Installed by an administrator, Platen may not write beside its own files.
    cacheFolder: join(isWritable(cache) ? cache : dataFolder, "render"),
    log,
  });
}

function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
