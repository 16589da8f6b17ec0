import { PlatenError } from "../plugin-api/index.js";
import { drawPageImages } from "./images/page-images.js";
import { RenderTally } from "./render-tally.js";
import { RenderWorks } from "./render-works.js";
import type { Renderer } from "./renderer.js";
import type { RenderSettings } from "./settings.js";
import type { RendererStats } from "./stats.js";

const NOT_STARTED = "The renderer is not started.";
const STOPPED = "The service is shutting down and prints no more.";

/** A renderer that starts no process before `start`. */
export function createRenderer(settings: RenderSettings): Renderer {
  const tally = new RenderTally();
  let starting: Promise<RenderWorks> | null = null;
  let works: RenderWorks | null = null;
  let reason = NOT_STARTED;
  const running = (): RenderWorks => {
    if (works) return works;
    throw new PlatenError("unavailable", `${reason} Try again in a moment.`);
  };
  return {
    async start() {
      starting ??= RenderWorks.start(settings);
      works = await starting;
    },
    pdf: (job) =>
      tally.count("pdf", job.deadline, async () => running().printer.pdf(job)),
    images: (job) =>
      tally.count("images", job.deadline, async () =>
        drawPageImages(running().rasterizer, job),
      ),
    screenshot: (job) =>
      tally.count("screenshot", job.deadline, async () =>
        running().camera.shoot(job),
      ),
    health: () => works?.health() ?? { ...NOTHING, reason },
    stats: () => statsOf(works, tally),
    observe: (listener) => tally.observe(listener),
    async stop() {
      works = null;
      reason = STOPPED;
      const ending = await starting?.catch(() => null);
      [starting, works] = [null, null];
      await ending?.stop();
    },
  };
}

async function statsOf(
  works: RenderWorks | null,
  { counts }: RenderTally,
): Promise<RendererStats> {
  return {
    lanes: works?.lanes ?? IDLE_LANES,
    renders: counts,
    restarts: works?.restarts ?? NO_RESTARTS,
    pagesReplaced: works?.health().pagesReplaced ?? 0,
    pssMb: (await works?.pssMb()) ?? null,
  };
}

const NOTHING = {
  ready: false,
  queued: 0,
  busy: 0,
  restarts: 0,
  pagesReplaced: 0,
};

const IDLE = { queued: 0, busy: 0 };
const IDLE_LANES = { short: IDLE, long: IDLE, draw: IDLE, screen: IDLE };
const NO_RESTARTS = { died: 0, hung: 0, memory: 0 };
