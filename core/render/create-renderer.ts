import { PlatenError } from "../contract/index.js";
import { drawPageImages } from "./images/page-images.js";
import { RenderWorks } from "./render-works.js";
import type { Renderer } from "./renderer.js";
import type { RenderSettings } from "./settings.js";

const NOT_STARTED = "The renderer is not started.";
const STOPPED = "The service is shutting down and prints no more.";

/** A renderer that starts no process before `start`. */
export function createRenderer(settings: RenderSettings): Renderer {
  let works: RenderWorks | null = null;
  let reason = NOT_STARTED;
  const running = (): RenderWorks => {
    if (works) return works;
    throw new PlatenError("unavailable", `${reason} Try again in a moment.`);
  };
  return {
    async start() {
      works = await RenderWorks.start(settings);
    },
    pdf: async (job) => running().printer.pdf(job),
    images: async (job) => drawPageImages(running().rasterizer, job),
    screenshot: async (job) => running().camera.shoot(job),
    health: () => works?.health() ?? { ...NOTHING, reason },
    async stop() {
      const ending = works;
      works = null;
      reason = STOPPED;
      await ending?.stop();
    },
  };
}

const NOTHING = {
  ready: false,
  queued: 0,
  busy: 0,
  restarts: 0,
  pagesReplaced: 0,
};
