import type { CharacterSet } from "../fonts/characters/character-set.js";
import type { ScreenshotJob, Screenshot } from "../jobs.js";
import type { SealedPage } from "../page/sealed-page.js";
import { missingGlyphs } from "../flaws/glyphs/missing-glyphs.js";
import { wideElements } from "../flaws/overflow/wide-elements.js";
import {
  DEFAULT_QUALITY,
  DEFAULT_SCALE,
  refuseTooManyPixels,
} from "./picture-limits.js";

/** Low, since a document is at least as high as its window. */
const LOW_PX = 100;

/** The whole document at the wanted width, as high as it is. @throws PlatenError `too_large` or `render_failed`. */
export async function takeScreenshot(
  page: SealedPage,
  job: ScreenshotJob,
  printable: CharacterSet,
): Promise<Screenshot> {
  const { html, widthPx, type, scale = DEFAULT_SCALE } = job;
  await setWindow(page, job, LOW_PX);
  await page.write(html);
  const height = await heightOf(page);
  const size = { widthPx: widthPx * scale, heightPx: height * scale };
  refuseTooManyPixels(size.widthPx, size.heightPx);
  const { data } = await page.send("Page.captureScreenshot", {
    ...(type === "png"
      ? { format: "png" }
      : { format: "jpeg", quality: job.quality ?? DEFAULT_QUALITY }),
    optimizeForSpeed: true,
    ...(await openFor(page, job, height)),
  });
  return {
    ...size,
    bytes: Buffer.from(data, "base64"),
    missingGlyphs: missingGlyphs([html], printable),
    overflow: await wideElements(page, html, widthPx),
  };
}

/**
 * Makes the window as high as the document. Chromium could draw more than its window, but it does so with generic fonts
 * of its own, from then on in the documents to come as well. That is left for a document that grows with its window, and
 * so would never be in it whole.
 */
async function openFor(
  page: SealedPage,
  job: ScreenshotJob,
  height: number,
): Promise<object> {
  await setWindow(page, job, height);
  if ((await heightOf(page)) <= height) return {};
  await setWindow(page, job, LOW_PX);
  page.spend();
  const clip = { x: 0, y: 0, width: job.widthPx, height, scale: 1 };
  return { captureBeyondViewport: true, clip };
}

async function heightOf(page: SealedPage): Promise<number> {
  const { cssContentSize } = await page.send("Page.getLayoutMetrics");
  return Math.ceil(cssContentSize.height);
}

async function setWindow(
  page: SealedPage,
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
