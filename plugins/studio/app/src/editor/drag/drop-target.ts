import type { ComponentType } from "../../../../../../core/plugin-api/definition.js";
import { getBox } from "../canvas/boxes.js";
import type { Dragged } from "../model/editor.js";
import type { Editor } from "../model/editor.js";
import { isWithin } from "../model/edits.js";
import { isAllowedIn } from "../model/placement.js";
import { type ListKey, type Spot, type Entry, listKey } from "../model/tree.js";

export function getDraggedType(
  editor: Editor,
  dragged: Dragged,
): ComponentType | null {
  if ("make" in dragged) return dragged.make().type;
  const entry = editor.tree.peek().entries.get(dragged.id);
  return entry?.component.type ?? null;
}

/** Returns a function that checks whether a list accepts what is dragged: its type, and not a list inside itself. */
export function createDropRule(
  editor: Editor,
  dragged: Dragged,
): (key: ListKey) => boolean {
  const type = getDraggedType(editor, dragged);
  return (key) => {
    const list = editor.tree.peek().lists.get(key);
    if (!type || !list || !isAllowedIn(editor, type, key)) return false;
    return !("id" in dragged && isWithin(editor, list.ownerId, dragged.id));
  };
}

/** In CSS px. Within this distance of a component's edge, the target is the list around the component. */
const EDGE_WIDTH = 6;

/** The position nearest to a point of the page, in the innermost list that accepts what is dragged. */
export function findCanvasSpot(
  editor: Editor,
  under: Element,
  at: { x: number; y: number },
  mayDrop: (key: ListKey) => boolean,
): Spot | null {
  const lists = findListsAt(under).filter(({ key }) => mayDrop(key));
  const found = lists.find(
    (list, index) => index === lists.length - 1 || !isAtEdge(editor, list, at),
  );
  return found
    ? { list: found.key, index: findIndex(editor, found, at) }
    : null;
}

interface ListElement {
  key: ListKey;
  element: Element;
}

/** The lists around an element, innermost first; outside of the sheet, the body. */
function findListsAt(under: Element): ListElement[] {
  const found: ListElement[] = [];
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
  { key, element }: ListElement,
  { x, y }: { x: number; y: number },
): boolean {
  const list = editor.tree.peek().lists.get(key);
  const owner = element.closest(
    `[data-id="${CSS.escape(list?.ownerId ?? "")}"]`,
  );
  const outer = owner?.parentElement?.closest("[data-list]");
  if (!owner || !outer) return false;
  const { left, top, width, height } = getBox(owner);
  return isHorizontal(editor, outer.getAttribute("data-list") ?? "")
    ? x - left < EDGE_WIDTH || left + width - x < EDGE_WIDTH
    : y - top < EDGE_WIDTH || top + height - y < EDGE_WIDTH;
}

/** The index of the component that a point is in front of. */
function findIndex(
  editor: Editor,
  { key, element }: ListElement,
  at: { x: number; y: number },
): number {
  const boxes = getComponentBoxes(editor, { key, element });
  if (!isHorizontal(editor, key)) {
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

function getComponentBoxes(editor: Editor, { key, element }: ListElement) {
  const components = editor.tree.peek().lists.get(key)?.components ?? [];
  const places = new Map(components.map(({ id }, index) => [id, index]));
  const drawn = [...element.querySelectorAll("[data-id]")].flatMap((one) => {
    const index = places.get(one.getAttribute("data-id") ?? "");
    return index === undefined ? [] : [{ index, box: getBox(one) }];
  });
  return drawn.toSorted((one, other) => one.index - other.index);
}

/** Whether a list lays out its components side by side. */
function isHorizontal(editor: Editor, key: ListKey): boolean {
  const { entries, lists } = editor.tree.peek();
  const owner = entries.get(lists.get(key)?.ownerId ?? "");
  const type = owner?.component.type;
  return type === "columns" || type === "section" || type === "table-row";
}

/** The position for a point on an outline row: before, in or after its component, or after its nearest possible ancestor. */
export function findOutlineSpot(
  editor: Editor,
  under: Element,
  y: number,
  mayDrop: (key: ListKey) => boolean,
): Spot | null {
  const row = under.closest("[role=treeitem]");
  if (!row) return null;
  const { entries } = editor.tree.peek();
  const entry = entries.get(row.getAttribute("data-row") ?? "");
  if (!entry) {
    const list = row.getAttribute("data-row-list") ?? "";
    return mayDrop(list) ? { list, index: 0 } : null;
  }
  const { top, height } = row.getBoundingClientRect();
  const isOpen = row.getAttribute("aria-expanded") === "true";
  const candidates = getCandidates(editor, entry, (y - top) / height, isOpen);
  return (
    candidates.find(({ list }) => mayDrop(list)) ??
    findSpotAfterAncestor(editor, entry, mayDrop)
  );
}

/** The positions in order of preference; `part` is the point's height on the row, from 0 to 1. */
function getCandidates(
  editor: Editor,
  { id, spot }: Entry,
  part: number,
  isOpen: boolean,
): Spot[] {
  const inner = editor.tree.peek().lists.get(listKey(id, "components"));
  const before = spot;
  const after = { list: spot.list, index: spot.index + 1 };
  const first = inner && { list: inner.key, index: 0 };
  const last = inner && { list: inner.key, index: inner.components.length };
  if (part < 0.3) return [before, ...(last ? [last] : [])];
  if (part > 0.7)
    return [
      ...(isOpen && first ? [first] : []),
      after,
      ...(last ? [last] : []),
    ];
  return [...(last ? [last] : []), part < 0.5 ? before : after];
}

function findSpotAfterAncestor(
  editor: Editor,
  entry: Entry,
  mayDrop: (key: ListKey) => boolean,
): Spot | null {
  const { entries } = editor.tree.peek();
  for (let one = entries.get(entry.parentId ?? ""); one;) {
    const { list, index } = one.spot;
    if (mayDrop(list)) return { list, index: index + 1 };
    one = entries.get(one.parentId ?? "");
  }
  return null;
}
