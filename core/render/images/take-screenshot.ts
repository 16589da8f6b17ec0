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
const WINDOW_HEIGHT = 100;

/** The whole document at the wanted width, as high as it is. @throws PlatenError `too_large` or `render_failed`. */
export async function takeScreenshot(
  page: SealedPage,
  job: ScreenshotJob,
  printable: CharacterSet,
): Promise<Screenshot> {
  const { html, widthPx, type, scale = DEFAULT_SCALE } = job;
  await page.send("Emulation.setDeviceMetricsOverride", {
    width: widthPx,
    height: WINDOW_HEIGHT,
    deviceScaleFactor: scale,
    mobile: false,
  });
  await page.write(html);
  const { cssContentSize } = await page.send("Page.getLayoutMetrics");
  const height = Math.ceil(cssContentSize.height);
  const size = { widthPx: widthPx * scale, heightPx: height * scale };
  refuseTooManyPixels(size.widthPx, size.heightPx);
  const { data } = await page.send("Page.captureScreenshot", {
    ...(type === "png"
      ? { format: "png" }
      : { format: "jpeg", quality: job.quality ?? DEFAULT_QUALITY }),
    optimizeForSpeed: true,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: widthPx, height, scale: 1 },
  });
  return {
    ...size,
    bytes: Buffer.from(data, "base64"),
    missingGlyphs: missingGlyphs([html], printable),
    overflow: await wideElements(page, html, widthPx),
  };
}
