import type { ComponentType } from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { type Box, getRects } from "../canvas/boxes.js";
import { canBeColumn, isColumnRow } from "../model/arrange.js";
import { getCatalogEntry } from "../model/catalog.js";
import type { DropSpot, Editor } from "../model/editor.js";
import { isWithin } from "../model/edits.js";
import { findRefusal } from "../model/placement.js";
import { type Entry, type ListKey, listKey, type Spot } from "../model/tree.js";
import type { Point } from "./gesture.js";

/** What decides where something that is dragged may be dropped. */
export interface DropRule {
  types: readonly ComponentType[];
  /** The components that are dragged; none for a new one. */
  entries: readonly Entry[];
  /** Why a list does not take it, for people; null if it does. */
  findRefusal: (key: ListKey) => (() => string) | null;
}

/** Creates the rule of a drag: by the types, and not into itself. */
export function createDropRule(
  editor: Editor,
  types: readonly ComponentType[],
  entries: readonly Entry[],
): DropRule {
  return {
    types,
    entries,
    findRefusal(key) {
      // A cell in another row would make that row longer than the others.
      const leavesRow = ({ component, spot }: Entry) =>
        component.type === "table-cell" && spot.list !== key;
      if (entries.some(leavesRow)) return () => t("arrange.staysInRow");
      const ownerId = editor.tree.peek().lists.get(key)?.ownerId ?? null;
      const around = entries.find(({ id }) => isWithin(editor, ownerId, id));
      if (around) {
        const component = getCatalogEntry(around.component.type).words;
        return () => t("arrange.notIntoItself", { component });
      }
      for (const type of types) {
        const refusal = findRefusal(editor, type, key);
        if (refusal) return refusal;
      }
      return null;
    },
  };
}

/** The drop target at a point of the page or the outline, or why there is none; null elsewhere. */
export function findDropSpot(
  editor: Editor,
  under: Element | null,
  at: Point,
  rule: DropRule,
): DropSpot | { refusal: string } | null {
  const mayDrop = (key: ListKey) => rule.findRefusal(key) === null;
  const explain = (key: ListKey | undefined) => {
    const refusal = key === undefined ? null : rule.findRefusal(key);
    return refusal ? { refusal: refusal() } : null;
  };
  if (under?.closest(".canvas")) {
    const lists = findListsAt(under);
    return (
      findColumnSpot(editor, lists, at, rule) ??
      findCanvasSpot(editor, lists, at, mayDrop) ??
      explain(lists[0]?.key)
    );
  }
  const row = under?.closest("[role=tree] [role=treeitem]");
  if (!row) return null;
  const entry = editor.tree
    .peek()
    .entries.get(row.getAttribute("data-row") ?? "");
  return (
    findOutlineSpot(editor, row, at.y, mayDrop) ??
    explain(entry?.spot.list ?? row.getAttribute("data-row-list") ?? undefined)
  );
}

/** Whether a drop at a spot makes a new column. */
export function getsColumn(
  editor: Editor,
  types: readonly ComponentType[],
  spot: DropSpot,
): boolean {
  if (spot.beside) return true;
  return (
    isColumnRow(editor, spot.list) && types.some((type) => type !== "column")
  );
}

/** In CSS px: a drop this near to the left or right edge of a component makes columns. */
const SIDE_WIDTH = 20;
/** In CSS px: this near to the top or bottom, a drop goes between components. */
const BETWEEN_HEIGHT = 4;

/** Where a drop at a point makes a new column; null where it does not. */
function findColumnSpot(
  editor: Editor,
  lists: readonly ListElement[],
  at: Point,
  { types, entries, findRefusal: findRefusalOfDrag }: DropRule,
): DropSpot | null {
  const { lists: all, entries: treeEntries } = editor.tree.peek();
  const isDragged = (id: string | null) =>
    entries.some((entry) => isWithin(editor, id, entry.id));
  const canGet = (key: ListKey) =>
    !isDragged(all.get(key)?.ownerId ?? null) &&
    canBeColumn(editor, types, key);
  const inRow = (list: ListElement): DropSpot | null =>
    canGet(list.key)
      ? { list: list.key, index: findIndex(editor, list, at) }
      : null;
  for (const [depth, list] of lists.entries()) {
    const around = lists[depth + 1];
    // Between two columns.
    if (isColumnRow(editor, list.key)) return depth === 0 ? inRow(list) : null;
    const owner = treeEntries.get(all.get(list.key)?.ownerId ?? "");
    if (owner?.component.type === "column" && around) {
      const isBeside = getRects(list.element).some((box) => isAtSide(box, at));
      if (isBeside) return inRow(around);
    }
    // The edge of a box belongs to the box.
    if (owner && isAtEdge(editor, list, at)) continue;
    const target = findComponentBeside(editor, list, at);
    if (!target) {
      // Between the components of this list, or in it while it is empty.
      if (findRefusalOfDrag(list.key) === null) return null;
      continue;
    }
    if (isDragged(target.id)) return null;
    const ownList = target.element.matches("[data-list]")
      ? { key: listKey(target.id, "components"), element: target.element }
      : null;
    if (ownList && isColumnRow(editor, ownList.key)) return inRow(ownList);
    const { component } = treeEntries.get(target.id) ?? {};
    const canBoth =
      component !== undefined &&
      canGet(list.key) &&
      canBeColumn(editor, [component.type], list.key);
    if (!canBoth) return null;
    const beside = isBefore(target.element, target.box, at)
      ? "before"
      : "after";
    return { list: list.key, index: target.index, beside };
  }
  return null;
}

/** The component of a vertical list whose left or right edge is near to a point. */
function findComponentBeside(editor: Editor, list: ListElement, at: Point) {
  const boxes = getComponentBoxes(editor, list);
  return boxes.find(({ box }) => isAtSide(box, at)) ?? null;
}

function isAtSide({ left, top, width, height }: Box, { x, y }: Point): boolean {
  const inset = Math.min(BETWEEN_HEIGHT, height / 4);
  const isInHeight = y >= top + inset && y <= top + height - inset;
  const near = Math.min(SIDE_WIDTH, width / 5);
  const isNear = (edge: number, inwards: 1 | -1) =>
    (x - edge) * inwards > -SIDE_WIDTH && (x - edge) * inwards < near;
  return isInHeight && (isNear(left, 1) || isNear(left + width, -1));
}

/** Whether a point is at the side of a box where the text begins. */
function isBefore(element: Element, { left, width }: Box, { x }: Point) {
  const isLeft = x < left + width / 2;
  return isLeft !== (getComputedStyle(element).direction === "rtl");
}

/** In CSS px. Within this distance of a component's edge, the target is the list around the component. */
const EDGE_WIDTH = 6;

/** The position nearest to a point of the page, in the innermost list that accepts what is dragged. */
function findCanvasSpot(
  editor: Editor,
  all: readonly ListElement[],
  at: Point,
  mayDrop: (key: ListKey) => boolean,
): Spot | null {
  const lists = all.filter(({ key }) => mayDrop(key));
  const targetList = lists.find(
    (list, index) => index === lists.length - 1 || !isAtEdge(editor, list, at),
  );
  return targetList
    ? { list: targetList.key, index: findIndex(editor, targetList, at) }
    : null;
}

interface ListElement {
  key: ListKey;
  element: Element;
}

/** The lists around an element, innermost first; outside of the sheet, the body. */
function findListsAt(under: Element): ListElement[] {
  const lists: ListElement[] = [];
  for (
    let ancestor = under.closest("[data-list]");
    ancestor;
    ancestor = ancestor.parentElement?.closest("[data-list]") ?? null
  )
    lists.push({
      key: ancestor.getAttribute("data-list") ?? "",
      element: ancestor,
    });
  if (lists.length > 0) return lists;
  const body = under.closest(".canvas")?.querySelector('[data-list="body"]');
  return body ? [{ key: "body", element: body }] : [];
}

function isAtEdge(
  editor: Editor,
  { key, element }: ListElement,
  { x, y }: Point,
): boolean {
  const list = editor.tree.peek().lists.get(key);
  const owner = element.closest(
    `[data-id="${CSS.escape(list?.ownerId ?? "")}"]`,
  );
  const outer = owner?.parentElement?.closest("[data-list]");
  if (!owner || !outer) return false;
  const isAcross = isHorizontal(editor, outer.getAttribute("data-list") ?? "");
  return getRects(owner).some(({ left, top, width, height }) => {
    const isInside =
      x >= left && x <= left + width && y >= top && y <= top + height;
    const atSide = x - left < EDGE_WIDTH || left + width - x < EDGE_WIDTH;
    const atEnd = y - top < EDGE_WIDTH || top + height - y < EDGE_WIDTH;
    return isInside && (atSide || (!isAcross && atEnd));
  });
}

/** The index of the component that a point is in front of. */
function findIndex(editor: Editor, list: ListElement, at: Point): number {
  const boxes = getComponentBoxes(editor, list);
  const nearest = boxes.toSorted(
    (candidate, other) =>
      getDistance(candidate.box, at) - getDistance(other.box, at),
  )[0];
  if (!nearest) return 0;
  const { index, box, isFirst, isLast } = nearest;
  if (isHorizontal(editor, list.key))
    return isBefore(list.element, box, at) ? index : index + 1;
  // Of a component that spans several pages, its parts in between are nearer to its end.
  const isAbove = at.y < box.top + box.height / 2;
  const isInFront = isAbove ? isFirst : isFirst && !isLast;
  return isInFront ? index : index + 1;
}

/** The boxes of a list's components, one for each page that they span. */
function getComponentBoxes(editor: Editor, { key, element }: ListElement) {
  const components = editor.tree.peek().lists.get(key)?.components ?? [];
  const places = new Map(components.map(({ id }, index) => [id, index]));
  return [...element.querySelectorAll("[data-id]")].flatMap((child) => {
    const index = places.get(child.getAttribute("data-id") ?? "");
    if (index === undefined) return [];
    const rects = getRects(child);
    return rects.map((box, at) => ({
      id: components[index]?.id ?? "",
      element: child,
      index,
      box,
      isFirst: at === 0,
      isLast: at === rects.length - 1,
    }));
  });
}

/** The distance of a point from a box, squared. */
function getDistance(
  { left, top, width, height }: Box,
  { x, y }: Point,
): number {
  const across = Math.max(left - x, 0, x - left - width);
  const down = Math.max(top - y, 0, y - top - height);
  return across ** 2 + down ** 2;
}

function isHorizontal(editor: Editor, key: ListKey): boolean {
  const { entries, lists } = editor.tree.peek();
  const owner = entries.get(lists.get(key)?.ownerId ?? "");
  const type = owner?.component.type;
  return type === "columns" || type === "section" || type === "table-row";
}

/** The position for a point on an outline row: before, in or after its component, or after its nearest possible ancestor. */
function findOutlineSpot(
  editor: Editor,
  row: Element,
  y: number,
  mayDrop: (key: ListKey) => boolean,
): Spot | null {
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
  for (let ancestor = entries.get(entry.parentId ?? ""); ancestor;) {
    const { list, index } = ancestor.spot;
    if (mayDrop(list)) return { list, index: index + 1 };
    ancestor = entries.get(ancestor.parentId ?? "");
  }
  return null;
}
