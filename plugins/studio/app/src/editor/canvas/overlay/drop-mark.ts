import type { Editor } from "../../model/editor.js";
import { type Box, boxOf, elementOf } from "../box.js";
import { within } from "./overlay-box.js";

/** A line between two components, or a frame around a list that has none. */
export interface DropMark {
  kind: "line" | "frame";
  box: Box;
}

const thick = 3;

/** Where what is being dragged would go; null when nothing is, or nowhere. */
export function dropMarkOf(editor: Editor, place: Element): DropMark | null {
  const spot = editor.drag.dropSpot.peek();
  const list = spot && editor.tree.peek().lists.get(spot.list);
  if (!spot || !list) return null;
  const boxAt = (index: number): Box | null => {
    const id = list.components[index]?.id;
    const element = id === undefined ? null : elementOf(place, id);
    return element ? within(place, boxOf(element)) : null;
  };
  const [before, after] = [boxAt(spot.index - 1), boxAt(spot.index)];
  if (!before && !after) return frameOf(place, spot.list);
  const isAcross =
    before && after
      ? runsAcross(before, after)
      : runsAcross(boxAt(spot.index - 2), before) ||
        runsAcross(after, boxAt(spot.index + 1));
  const box = isAcross ? upright(before, after) : level(before, after);
  return box && { kind: "line", box };
}

/** Whether components stand side by side. */
function runsAcross(one: Box | null, other: Box | null): boolean {
  if (!one || !other) return false;
  const isBeside = other.left >= one.left + one.width - 1;
  return isBeside && other.top < one.top + one.height;
}

function level(before: Box | null, after: Box | null): Box | null {
  const beside = after ?? before;
  if (!beside) return null;
  const bottom = before ? before.top + before.height : beside.top;
  const top = after ? after.top : bottom;
  const middle = (top + bottom) / 2 - thick / 2;
  return { left: beside.left, width: beside.width, top: middle, height: thick };
}

function upright(before: Box | null, after: Box | null): Box | null {
  const beside = after ?? before;
  if (!beside) return null;
  const right = before ? before.left + before.width : beside.left;
  const left = after ? after.left : right;
  const middle = (left + right) / 2 - thick / 2;
  return { left: middle, width: thick, top: beside.top, height: beside.height };
}

function frameOf(place: Element, key: string): DropMark | null {
  const element = place.querySelector(`[data-list="${CSS.escape(key)}"]`);
  return element && { kind: "frame", box: within(place, boxOf(element)) };
}
