import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import pLimit from "p-limit";
import type { Config } from "../../config/index.js";
import type { PackageInfo } from "../lib/package-info.js";
import type { Log } from "../plugin-api/index.js";
import { createRenderer, type Renderer } from "./renderer.js";

/** The renderer of the configuration, not yet started. */
export function createConfiguredRenderer(
  { render, dataFolder }: Pick<Config, "render" | "dataFolder">,
  { folder }: PackageInfo,
  log: Log,
): Renderer {
  const { executablePath, ...settings } = render;
  const cache = join(folder, ".cache");
  return createRenderer({
    ...settings,
    ...(executablePath !== null && { executablePath }),
    // When an administrator installed Platen, it may not write beside its own files.
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

/**
 * The same renderer with at most `maxJobs` jobs at a time. Its pages are served in turn, so a request that comes while a
 * batch runs waits for one or two jobs at most.
 */
export function limitJobs(renderer: Renderer, maxJobs: number): Renderer {
  const limit = pLimit(maxJobs);
  return {
    ...renderer,
    pdf: (job) => limit(() => renderer.pdf(job)),
    images: (job) => limit(() => renderer.images(job)),
    screenshot: (job) => limit(() => renderer.screenshot(job)),
  };
}

/** The same renderer, which starts its browser for the first job: reading templates needs none. */
export function startOnFirstJob(renderer: Renderer): Renderer {
  return {
    ...renderer,
    async pdf(job) {
      await renderer.start();
      return renderer.pdf(job);
    },
    async images(job) {
      await renderer.start();
      return renderer.images(job);
    },
    async screenshot(job) {
      await renderer.start();
      return renderer.screenshot(job);
    },
  };
}
