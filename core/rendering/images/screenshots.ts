import type { Log } from "../../plugin-api/index.js";
import {
  type BrowserSupervisor,
  MemoryMonitor,
} from "../browser/browser-supervisor.js";
import { type CharacterSet, missingGlyphs } from "../fonts/character-set.js";
import type { Screenshot, ScreenshotJob } from "../jobs.js";
import { type Isolation, PagePool, type IsolatedPage } from "../page-pool.js";
import { setDensity } from "./density.js";
import {
  DEFAULT_QUALITY,
  DEFAULT_SCALE,
  assertPixelLimit,
} from "./image-limits.js";
import { assertPrintSize, findWideElements } from "../print/printer.js";

interface ScreenshotLimits {
  queueLimit: number;
  maxPrintBytes: number;
  recyclePssMb: number;
  isolation: Isolation;
}

/** Takes screenshots of whole documents in a separate browser, which the first job starts. */
export class Screenshotter {
  readonly lane: PagePool;
  readonly #memory: MemoryMonitor;

  /** @param printable every character that can be drawn */
  constructor(
    supervisor: BrowserSupervisor,
    private readonly printable: CharacterSet,
    private readonly limits: ScreenshotLimits,
    log: Log,
  ) {
    const { queueLimit, isolation } = limits;
    this.lane = new PagePool(supervisor, 1, queueLimit, { isolation, log });
    this.#memory = new MemoryMonitor(supervisor, limits.recyclePssMb, log);
  }

  async capture(job: ScreenshotJob): Promise<Screenshot> {
    assertPrintSize(job.html, this.limits.maxPrintBytes);
    const screenshot = await this.lane.run(job, (page) =>
      captureDocument(page, job, this.printable),
    );
    this.#memory.note(job.html, false);
    return screenshot;
  }
}

/** Small, since a document is at least as high as its window. */
const INITIAL_HEIGHT_PX = 100;

/** Captures the whole document at the given width. @throws PlatenError `too_large` or `render_failed`. */
async function captureDocument(
  page: IsolatedPage,
  job: ScreenshotJob,
  printable: CharacterSet,
): Promise<Screenshot> {
  const { html, widthPx, type, isDark = false, scale = DEFAULT_SCALE } = job;
  const colorScheme = isDark ? "dark" : "light";
  await page.send("Emulation.setEmulatedMedia", {
    features: [{ name: "prefers-color-scheme", value: colorScheme }],
  });
  await setWindow(page, job, INITIAL_HEIGHT_PX);
  await page.write(html);
  const height = await getDocumentHeight(page);
  const size = { widthPx: widthPx * scale, heightPx: height * scale };
  assertPixelLimit(size.widthPx, size.heightPx);
  const { data } = await page.send("Page.captureScreenshot", {
    ...(type === "png"
      ? { format: "png" }
      : { format: "jpeg", quality: job.quality ?? DEFAULT_QUALITY }),
    optimizeForSpeed: true,
    ...(await fitWindow(page, job, height)),
  });
  return {
    ...size,
    bytes: setDensity(Buffer.from(data, "base64"), type, scale),
    missingGlyphs: missingGlyphs([html], printable),
    overflow: await findWideElements(page, html, widthPx),
  };
}

/**
 * Makes the window as high as the document. Chromium can draw beyond its window, but then it uses its own generic fonts,
 * also for the next documents. That is used only for a document that grows with its window and would never fit.
 */
async function fitWindow(
  page: IsolatedPage,
  job: ScreenshotJob,
  height: number,
): Promise<object> {
  await setWindow(page, job, height);
  if ((await getDocumentHeight(page)) <= height) return {};
  await setWindow(page, job, INITIAL_HEIGHT_PX);
  page.isAltered = true;
  const clip = { x: 0, y: 0, width: job.widthPx, height, scale: 1 };
  return { captureBeyondViewport: true, clip };
}

async function getDocumentHeight(page: IsolatedPage): Promise<number> {
  const { cssContentSize } = await page.send("Page.getLayoutMetrics");
  return Math.ceil(cssContentSize.height);
}

async function setWindow(
  page: IsolatedPage,
  { widthPx, scale = DEFAULT_SCALE }: ScreenshotJob,
  height: number,
): Promise<void> {
  await page.send("Emulation.setDeviceMetricsOverride", {
    width: widthPx,
    height,
    deviceScaleFactor: scale,
    mobile: false,
  });
}
