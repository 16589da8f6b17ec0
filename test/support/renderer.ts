import { fileURLToPath } from "node:url";
import { after } from "mocha";
import { Deadline } from "../../core/contract/index.js";
import {
  createRenderer,
  type Renderer,
  type RenderSettings,
} from "../../core/render/index.js";
import { silentLog } from "./store-log.js";

export { page } from "./html-page.js";

/** Where tests unpack browser and fonts, once for all runs. */
export const RENDER_CACHE = fileURLToPath(
  new URL("../../.cache/render", import.meta.url),
);

const running: Renderer[] = [];
let shared: Promise<Renderer> | undefined;

after(() => Promise.all(running.map((renderer) => renderer.stop())));

/** One renderer for the whole run of the tests, started by the first that asks for it. */
export function sharedRenderer(): Promise<Renderer> {
  shared ??= startRenderer();
  return shared;
}

/** A renderer of the test's own; it is stopped at the end of the run, or before by the test. */
export async function startRenderer(
  settings: Partial<RenderSettings> = {},
): Promise<Renderer> {
  const renderer = createRenderer({
    cacheFolder: RENDER_CACHE,
    log: silentLog,
    ...settings,
  });
  running.push(renderer);
  await renderer.start();
  return renderer;
}

/** Long enough for every test that does not try the limit itself. */
export function ample(): Deadline {
  return Deadline.after(45_000);
}
