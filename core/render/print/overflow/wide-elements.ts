import type { Overflow } from "../../jobs.js";
import { LaidOutTree, type Snapshot } from "./laid-out-tree.js";

const MOST = 10;

/**
 * The outermost elements that reach out of the room, in document order, at most 10. What an element around it cuts
 * off is meant to be cut off, and what has a fixed place on the page is no content.
 */
export function wideElements(
  snapshot: Snapshot,
  roomPx: number,
  isRightToLeft: boolean,
): Overflow[] {
  const tree = new LaidOutTree(snapshot);
  const named = new Set<number>();
  const found: Overflow[] = [];
  for (const { node, left, right } of tree.boxes) {
    const widthPx = Math.floor(isRightToLeft ? roomPx - left : right);
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
