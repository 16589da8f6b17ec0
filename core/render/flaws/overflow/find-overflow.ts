import type { Overflow } from "../print-flaws.js";
import type { PageBox } from "../../jobs.js";
import type { SealedPage } from "../../page/sealed-page.js";
import { isLong } from "../../print/document-length.js";
import { readShrink } from "./read-shrink.js";
import { isRightToLeft, wideElements } from "./wide-elements.js";

const WINDOW_HEIGHT = 100;

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
  const shrink = isRightToLeft(html) ? null : readShrink(pdf, box);
  if (shrink === null) return layOut(page, html, roomPx);
  const widthPx = Math.round(roomPx / shrink);
  if (widthPx <= roomPx) return [];
  const found = isLong(html) ? [] : await layOut(page, html, roomPx);
  const unnamed = { element: "body", text: "", widthPx, roomPx };
  return found.length === 0 ? [unnamed] : found;
}

/** Lays the document out on one endless page. */
async function layOut(
  page: SealedPage,
  html: string,
  roomPx: number,
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
    return await wideElements(page, html, roomPx);
  } finally {
    await Promise.all([
      page.send("Emulation.setEmulatedMedia", { media: "" }),
      page.send("Emulation.clearDeviceMetricsOverride"),
    ]);
  }
}
