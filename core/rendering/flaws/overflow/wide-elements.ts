import type { Overflow } from "../print-flaws.js";
import type { SealedPage } from "../../page/sealed-page.js";
import { isLong } from "../../print/document-length.js";
import { LaidOutTree, SNAPSHOT_STYLES } from "./laid-out-tree.js";

const MOST = 10;
const RIGHT_TO_LEFT = /^[^]{0,100}<html\b[^>]*\bdir="rtl"/i;

/** What is too wide begins at the right of such a document and is cut off at its left. */
export function isRightToLeft(html: string): boolean {
  return RIGHT_TO_LEFT.test(html);
}

/**
 * What of a document is wider than the window that it is laid out in: the outermost elements, in document order, at
 * most 10. Of a long document it is only told that something is.
 */
export async function wideElements(
  page: SealedPage,
  html: string,
  roomPx: number,
): Promise<Overflow[]> {
  const { cssContentSize } = await page.send("Page.getLayoutMetrics");
  const widthPx = Math.floor(cssContentSize.width);
  if (widthPx <= roomPx) return [];
  if (isLong(html)) return [{ element: "body", text: "", widthPx, roomPx }];
  const snapshot = await page.send("DOMSnapshot.captureSnapshot", {
    computedStyles: SNAPSHOT_STYLES,
  });
  return pickOut(new LaidOutTree(snapshot), roomPx, isRightToLeft(html));
}

/** What an element around it cuts off is meant to be cut off, and what has a fixed place on the page is no content. */
function pickOut(
  tree: LaidOutTree,
  roomPx: number,
  isFromRight: boolean,
): Overflow[] {
  const named = new Set<number>();
  const found: Overflow[] = [];
  for (const { node, left, right } of tree.boxes) {
    const widthPx = Math.floor(isFromRight ? roomPx - left : right);
    if (widthPx <= roomPx || tree.isContained(node)) continue;
    const element = tree.elementOf(node);
    if (tree.isWithin(element, named)) continue;
    named.add(element);
    const text = tree.firstWords(element);
    found.push({ element: tree.nameOf(element), text, widthPx, roomPx });
    if (found.length === MOST) break;
  }
  return found;
}
