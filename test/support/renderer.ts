import { resolve } from "node:path";
import { Deadline } from "../../core/plugin-api/index.js";
import {
  createRenderer,
  type Renderer,
  type RenderSettings,
} from "../../core/rendering/index.js";
import { isTestWorker, stopAtEnd } from "./running-renderers.js";
import { silentLog } from "./store-log.js";

export { page } from "./html-page.js";

/** Where tests unpack browser and fonts, once for all runs. */
export const RENDER_CACHE = resolve(".cache/render");

let shared: Promise<Renderer> | undefined;

/**
 * One renderer for all tests of the process, started by the first that asks for it. In a worker of a parallel run it
 * serves all files, and ends with the process, as the browser of a killed service does.
 */
export function sharedRenderer(): Promise<Renderer> {
  shared ??= startShared();
  return shared;
}

async function startShared(): Promise<Renderer> {
  const renderer = rendererWith({});
  if (!isTestWorker) stopAtEnd(renderer);
  await renderer.start();
  return renderer;
}

/** A renderer of the test's own; it is stopped at the end of the run or of the file, or before by the test. */
export async function startRenderer(
  settings: Partial<RenderSettings> = {},
): Promise<Renderer> {
  const renderer = rendererWith(settings);
  stopAtEnd(renderer);
  await renderer.start();
  return renderer;
}

function rendererWith(settings: Partial<RenderSettings>): Renderer {
  return createRenderer({
    cacheFolder: RENDER_CACHE,
    log: silentLog,
    ...settings,
  });
}

/** Long enough for every test that does not try the limit itself. */
export function ample(): Deadline {
  return Deadline.after(110_000);
}
