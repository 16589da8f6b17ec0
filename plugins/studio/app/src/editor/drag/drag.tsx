import type { ComponentType } from "../../../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { Icon } from "../../ui/icon.js";
import { getBox } from "../canvas/boxes.js";
import { enterNew, focusSelectedOnPage } from "../commands/commands.js";
import { getCatalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor-context.js";
import type { Dragged, Editor } from "../model/editor.js";
import { isWithin, insertComponent, moveComponents } from "../model/edits.js";
import {
  describeAddition,
  describeMove,
  isAllowedIn,
} from "../model/placement.js";
import { addColumn } from "../model/table-edits.js";
import {
  withNewIds,
  type ListKey,
  type Spot,
  type Entry,
  listKey,
} from "../model/tree.js";
import "./drag.css";
import { type Gesture, type Point, scrollAtEdge } from "./gesture.js";

/** The palette item, outline row or component on the page at an element; null if it cannot be dragged. */
export function findDragged(editor: Editor, target: Element): Dragged | null {
  const type = target.closest("[data-new]")?.getAttribute("data-new");
  if (type) {
    // The palette sets only component types.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return { make: getCatalogEntry(type as ComponentType).make };
  }
  const row = target.closest("[data-row]")?.getAttribute("data-row");
  if (row) return target.closest("button") ? null : dragFrom(editor, row);
  const drawn = target.closest("[data-id]");
  const id = drawn?.getAttribute("data-id");
  if (!id || !drawn?.closest(".canvas")) return null;
  const control = target.closest("button, input, [contenteditable]");
  if (control && drawn.contains(control) && control !== drawn) return null;
  if (id === editor.typingIn.peek()) return null;
  return dragFrom(editor, id);
}

/** Dragging a selected component or one inside of it drags everything that is selected. */
function dragFrom(editor: Editor, id: string): Dragged {
  const selected = editor.selection.peek();
  const isSelected = selected.some((one) => isWithin(editor, id, one.id));
  return { ids: isSelected ? selected.map((one) => one.id) : [id] };
}

function getDraggedEntries(editor: Editor, dragged: Dragged): Entry[] {
  const { entries } = editor.tree.peek();
  const ids = "ids" in dragged ? dragged.ids : [];
  return ids.flatMap((id) => entries.get(id) ?? []);
}

/** One drag, from its start until it is dropped or canceled. The drop target is updated once per frame. */
export class Drag implements Gesture {
  readonly #mayDrop: (key: ListKey) => boolean;
  #frame = 0;

  constructor(
    readonly editor: Editor,
    readonly dragged: Dragged,
  ) {
    this.#mayDrop = createDropRule(editor, dragged);
    editor.drag.dragged.value = dragged;
    document.documentElement.classList.add("dragging");
    getSelection()?.removeAllRanges();
    this.#startLoop();
  }

  move(at: Point): void {
    this.editor.drag.point.value = at;
  }

  /** Moves or inserts the component at the drop target, if there is one. */
  end(): void {
    this.#updateSpot();
    const { editor, dragged } = this;
    const spot = editor.drag.dropSpot.peek();
    const entries = getDraggedEntries(editor, dragged);
    const words = getDraggedWords(editor, dragged);
    this.cancel();
    if (words === null) return;
    focusSelectedOnPage(editor);
    if (!spot) {
      editor.announced.value = t("editor.notMoved", { component: words });
      return;
    }
    if ("ids" in dragged) {
      moveComponents(editor, entries, spot);
      editor.selected.replace(dragged.ids);
      const [first, ...others] = entries;
      editor.announced.value =
        first && others.length === 0
          ? describeMove(editor, first.id, first.spot.list)
          : t("editor.componentsMoved", { count: entries.length });
      return;
    }
    const made = withNewIds(dragged.make());
    if (made.type === "table-cell" && addColumn(editor, spot)) {
      const cell = editor.selected.peek() ?? "";
      editor.announced.value = describeAddition(editor, cell);
      return;
    }
    insertComponent(editor, made, spot);
    editor.announced.value = describeAddition(editor, made.id ?? "");
    enterNew(editor);
  }

  cancel(): void {
    cancelAnimationFrame(this.#frame);
    const { drag } = this.editor;
    drag.dragged.value = null;
    drag.dropSpot.value = null;
    document.documentElement.classList.remove("dragging");
  }

  #startLoop(): void {
    this.#frame = requestAnimationFrame(() => {
      this.#updateSpot();
      this.#startLoop();
    });
  }

  #updateSpot(): void {
    const { drag } = this.editor;
    const at = drag.point.peek();
    const under = findElementAt(at);
    scrollAtEdge(under, at);
    const spot =
      (under?.closest(".canvas") &&
        findCanvasSpot(this.editor, under, at, this.#mayDrop)) ||
      (under?.closest("[role=tree]") &&
        findOutlineSpot(this.editor, under, at.y, this.#mayDrop)) ||
      null;
    const last = drag.dropSpot.peek();
    const isSame = last?.list === spot?.list && last?.index === spot?.index;
    if (!isSame) drag.dropSpot.value = spot;
  }
}

/** The element at a point of the page or the outline, ignoring toolbars above them. */
function findElementAt({ x, y }: { x: number; y: number }): Element | null {
  const [top = null, ...below] = document.elementsFromPoint(x, y);
  if (!top?.closest(".canvas") || top.closest("[data-list]")) return top;
  return below.find((one) => one.closest("[data-list]")) ?? top;
}

/** Above the editor: what is dragged, next to the pointer, or the rectangle that selects. */
export function GestureLayer() {
  const { marquee } = useEditor().drag;
  const box = marquee.value;
  return (
    <>
      <DragGhost />
      {box && (
        <div
          class="marquee"
          style={{
            left: `${box.left}px`,
            top: `${box.top}px`,
            width: `${box.width}px`,
            height: `${box.height}px`,
          }}
        />
      )}
    </>
  );
}

/** Shows what is dragged next to the pointer, faded where it cannot be dropped. */
function DragGhost() {
  const editor = useEditor();
  const { dragged, dropSpot, point } = editor.drag;
  const type = dragged.value && getDraggedTypes(editor, dragged.value)[0];
  if (!dragged.value || !type) return null;
  const { icon } = getCatalogEntry(type);
  const { x, y } = point.value;
  return (
    <div
      class={`drag-ghost ${dropSpot.value ? "" : "nowhere"}`}
      style={{ translate: `${x + 12}px ${y + 10}px` }}
    >
      <Icon name={icon} size={16} />
      {getDraggedWords(editor, dragged.value)}
    </div>
  );
}

function getDraggedTypes(editor: Editor, dragged: Dragged): ComponentType[] {
  if ("make" in dragged) return [dragged.make().type];
  return getDraggedEntries(editor, dragged).map(
    ({ component }) => component.type,
  );
}

/** The name of what is dragged, or how many components are; null if they are gone. */
function getDraggedWords(editor: Editor, dragged: Dragged): string | null {
  const types = getDraggedTypes(editor, dragged);
  const [type] = types;
  if (!type) return null;
  return types.length === 1
    ? getCatalogEntry(type).words
    : t("canvas.components", { count: types.length });
}

/** Returns a function that checks whether a list accepts what is dragged: its types, and not a list inside itself. */
function createDropRule(
  editor: Editor,
  dragged: Dragged,
): (key: ListKey) => boolean {
  const types = getDraggedTypes(editor, dragged);
  const ids = "ids" in dragged ? dragged.ids : [];
  const entries = getDraggedEntries(editor, dragged);
  return (key) => {
    // A cell in another row would make that row longer than the others.
    const leavesRow = ({ component, spot }: Entry) =>
      component.type === "table-cell" && spot.list !== key;
    if (entries.some(leavesRow)) return false;
    const list = editor.tree.peek().lists.get(key);
    if (!list || types.length === 0) return false;
    return (
      types.every((type) => isAllowedIn(editor, type, key)) &&
      !ids.some((id) => isWithin(editor, list.ownerId, id))
    );
  };
}

/** In CSS px. Within this distance of a component's edge, the target is the list around the component. */
const EDGE_WIDTH = 6;

/** The position nearest to a point of the page, in the innermost list that accepts what is dragged. */
function findCanvasSpot(
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
function findOutlineSpot(
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
