import { join } from "node:path";
import type { Config } from "../config/index.js";
import type { Log } from "./contract/index.js";
import type { PackageInfo } from "./package-info.js";
import { createRenderer, type Renderer } from "./render/index.js";

/** The renderer that the configuration asks for, not yet started. */
export function configuredRenderer(
  { render }: Config,
  { folder }: PackageInfo,
  log: Log,
): Renderer {
  const { executablePath, ...settings } = render;
  return createRenderer({
    ...settings,
    ...(executablePath !== null && { executablePath }),
    cacheFolder: join(folder, ".cache", "render"),
    log,
  });
}
