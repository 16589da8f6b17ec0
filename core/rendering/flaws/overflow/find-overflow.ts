import type { PageBox } from "../../jobs.js";
import type { SealedPage } from "../../page/sealed-page.js";
import { isLong } from "../../print/document-length.js";
import type { Overflow } from "../print-flaws.js";
import { readShrink } from "./read-shrink.js";
import { wideElements } from "./wide-elements.js";

/**
 * What of a document is wider than its pages, asked right after it was printed. The PDF tells whether anything is,
 * and only then the document is laid out once more to see what; a long one is not.
 */
export async function findOverflow(
  page: SealedPage,
  html: string,
  pdf: Buffer,
  box: PageBox,
): Promise<Overflow[]> {
  const roomPx = roomOf(box);
  const shrink = readShrink(pdf, box);
  if (shrink === null) return layOut(page, html, roomPx);
  const widthPx = Math.round(roomPx / shrink);
  if (widthPx <= roomPx) return [];
  const found = isLong(html) ? [] : await layOut(page, html, roomPx);
  const unnamed = { element: "body", text: "", widthPx, roomPx };
  return found.length === 0 ? [unnamed] : found;
}

/** Between the left and the right margin, in whole CSS px. */
export function roomOf({ widthPx, margin }: PageBox): number {
  return Math.ceil(widthPx - margin.left - margin.right);
}

async function layOut(
  page: SealedPage,
  html: string,
  roomPx: number,
): Promise<Overflow[]> {
  await page.setWindow(roomPx);
  return wideElements(page, html, roomPx);
}
