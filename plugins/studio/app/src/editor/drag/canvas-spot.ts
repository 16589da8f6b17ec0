import type { Editor } from "../model/editor.js";
import type { ListKey, Spot } from "../model/tree.js";
import { boxOf } from "../canvas/box.js";

/** So near to the edge of a component, in CSS px, what is around it is meant. */
const edge = 6;

/** The place on the page that is nearest to a point, in the innermost list that takes what is dragged. */
export function canvasSpot(
  editor: Editor,
  under: Element,
  at: { x: number; y: number },
  mayDrop: (key: ListKey) => boolean,
): Spot | null {
  const lists = listsAround(under).filter(({ key }) => mayDrop(key));
  const found = lists.find(
    (list, index) => index === lists.length - 1 || !isAtEdge(editor, list, at),
  );
  return found ? { list: found.key, index: gapAt(editor, found, at) } : null;
}

interface DrawnList {
  key: ListKey;
  element: Element;
}

/** The lists that a point is in, innermost first; beside the sheet, the body. */
function listsAround(under: Element): DrawnList[] {
  const found: DrawnList[] = [];
  for (
    let one = under.closest("[data-list]");
    one;
    one = one.parentElement?.closest("[data-list]") ?? null
  )
    found.push({ key: one.getAttribute("data-list") ?? "", element: one });
  if (found.length > 0) return found;
  const body = under.closest(".canvas")?.querySelector('[data-list="body"]');
  return body ? [{ key: "body", element: body }] : [];
}

function isAtEdge(
  editor: Editor,
  { key, element }: DrawnList,
  { x, y }: { x: number; y: number },
): boolean {
  const list = editor.tree.peek().lists.get(key);
  const owner = element.closest(
    `[data-id="${CSS.escape(list?.ownerId ?? "")}"]`,
  );
  const outer = owner?.parentElement?.closest("[data-list]");
  if (!owner || !outer) return false;
  const { left, top, width, height } = boxOf(owner);
  return isAcross(editor, outer.getAttribute("data-list") ?? "")
    ? x - left < edge || left + width - x < edge
    : y - top < edge || top + height - y < edge;
}

/** Before which of a list's components a point is. */
function gapAt(
  editor: Editor,
  { key, element }: DrawnList,
  at: { x: number; y: number },
): number {
  const boxes = drawnBoxes(editor, { key, element });
  if (!isAcross(editor, key)) {
    const next = boxes.find(({ box }) => at.y < box.top + box.height / 2);
    return next?.index ?? boxes.length;
  }
  const inLine = boxes.filter(
    ({ box }) => box.top <= at.y && at.y <= box.top + box.height,
  );
  const line = inLine.length > 0 ? inLine : boxes;
  const isMirrored = getComputedStyle(element).direction === "rtl";
  const isBefore = (middle: number) =>
    isMirrored ? at.x > middle : at.x < middle;
  const next = line.find(({ box }) => isBefore(box.left + box.width / 2));
  return next?.index ?? (line.at(-1)?.index ?? -1) + 1;
}

function drawnBoxes(editor: Editor, { key, element }: DrawnList) {
  const components = editor.tree.peek().lists.get(key)?.components ?? [];
  const places = new Map(components.map(({ id }, index) => [id, index]));
  const drawn = [...element.querySelectorAll("[data-id]")].flatMap((one) => {
    const index = places.get(one.getAttribute("data-id") ?? "");
    return index === undefined ? [] : [{ index, box: boxOf(one) }];
  });
  return drawn.toSorted((one, other) => one.index - other.index);
}

/** Whether what a list holds stands side by side. */
function isAcross(editor: Editor, key: ListKey): boolean {
  const { entries, lists } = editor.tree.peek();
  const owner = entries.get(lists.get(key)?.ownerId ?? "");
  const type = owner?.component.type;
  return type === "columns" || type === "section" || type === "table-row";
}
