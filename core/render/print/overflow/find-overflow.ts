import type { Overflow, PageBox } from "../../jobs.js";
import type { SealedPage } from "../../page/sealed-page.js";
import { isLong } from "../document-length.js";
import { SNAPSHOT_STYLES } from "./laid-out-tree.js";
import { readShrink } from "./read-shrink.js";
import { wideElements } from "./wide-elements.js";

const WINDOW_HEIGHT = 100;
const RIGHT_TO_LEFT = /^[^]{0,100}<html\b[^>]*\bdir="rtl"/i;

/**
 * What of a document is wider than its pages, asked right after it was printed. The PDF tells whether anything is,
 * and only then the document is laid out once more to see what; a long one is not. Where text runs from right to
 * left, Chromium cuts off what is too wide and the PDF does not tell: such a document is always laid out.
 */
export async function findOverflow(
  page: SealedPage,
  html: string,
  pdf: Buffer,
  box: PageBox,
): Promise<Overflow[]> {
  const roomPx = Math.ceil(box.widthPx - box.margin.left - box.margin.right);
  const isRightToLeft = RIGHT_TO_LEFT.test(html);
  const shrink = isRightToLeft ? null : readShrink(pdf, box);
  const widthPx = shrink === null ? null : Math.round(roomPx / shrink);
  if (widthPx !== null && widthPx <= roomPx) return [];
  const found = isLong(html) ? [] : await layOut(page, roomPx, isRightToLeft);
  if (found.length > 0 || widthPx === null) return found;
  return [{ element: "body", text: "", widthPx, roomPx }];
}

/** Lays the document out on one endless page. */
async function layOut(
  page: SealedPage,
  roomPx: number,
  isRightToLeft: boolean,
): Promise<Overflow[]> {
  await Promise.all([
    page.send("Emulation.setEmulatedMedia", { media: "print" }),
    page.send("Emulation.setDeviceMetricsOverride", {
      width: roomPx,
      height: WINDOW_HEIGHT,
      deviceScaleFactor: 1,
      mobile: false,
    }),
  ]);
  try {
    const { cssContentSize } = await page.send("Page.getLayoutMetrics");
    if (Math.floor(cssContentSize.width) <= roomPx) return [];
    const snapshot = await page.send("DOMSnapshot.captureSnapshot", {
      computedStyles: SNAPSHOT_STYLES,
    });
    return wideElements(snapshot, roomPx, isRightToLeft);
  } finally {
    await Promise.all([
      page.send("Emulation.setEmulatedMedia", { media: "" }),
      page.send("Emulation.clearDeviceMetricsOverride"),
    ]);
  }
}
