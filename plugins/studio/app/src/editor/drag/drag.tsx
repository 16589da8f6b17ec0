import { useLayoutEffect } from "preact/hooks";
import type { ComponentType } from "../../../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { Icon } from "../../ui/icon.js";
import { getBox } from "../canvas/boxes.js";
import { focusSelectedOnPage } from "../commands/commands.js";
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

/** Handles dragging with a mouse, pen or finger between palette, page and outline. */
export function useDrags(editor: Editor): void {
  useLayoutEffect(() => {
    const controller = new DragController(editor);
    const start = (event: PointerEvent) => controller.start(event);
    addEventListener("pointerdown", start);
    return () => {
      removeEventListener("pointerdown", start);
      controller.cancel();
    };
  }, [editor]);
}

/** In CSS px: a mouse that moves this far drags; a finger that moves this far before `HOLD_MS` scrolls. */
const DRAG_THRESHOLD = 5;
/** How long a finger must hold still before it drags. */
const HOLD_MS = 350;

/** Follows a pressed pointer and starts a drag once it has moved or held long enough. */
class DragController {
  #drag: Drag | null = null;
  #stop = new AbortController();

  constructor(readonly editor: Editor) {}

  start(event: PointerEvent): void {
    const { target, button, isPrimary } = event;
    if (!this.editor.mayEdit || button !== 0 || !isPrimary) return;
    const subject =
      target instanceof Element ? findDragged(this.editor, target) : null;
    if (!subject) return;
    this.cancel();
    this.#stop = new AbortController();
    this.#listen(event, subject);
  }

  cancel(): void {
    this.#stop.abort();
    this.#drag?.end();
    this.#drag = null;
  }

  #listen(pressed: PointerEvent, subject: Dragged): void {
    const { signal } = this.#stop;
    const isFinger = pressed.pointerType === "touch";
    const begin = (x: number, y: number) => {
      this.#drag = new Drag(this.editor, subject);
      this.#drag.move(x, y);
    };
    const hold = isFinger
      ? setTimeout(() => begin(pressed.clientX, pressed.clientY), HOLD_MS)
      : undefined;
    signal.addEventListener("abort", () => clearTimeout(hold));
    const move = ({ clientX: x, clientY: y }: PointerEvent) => {
      const distance = Math.hypot(x - pressed.clientX, y - pressed.clientY);
      if (this.#drag) this.#drag.move(x, y);
      else if (distance > DRAG_THRESHOLD && isFinger) this.cancel();
      else if (distance > DRAG_THRESHOLD) begin(x, y);
    };
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", (event) => this.#drop(event), { signal });
    addEventListener("pointercancel", () => this.cancel(), { signal });
    this.#preventDefaults(signal);
  }

  /** Keeps the browser from scrolling, opening context menus and dragging images during a drag. Escape cancels. */
  #preventDefaults(signal: AbortSignal): void {
    const preventDuringDrag = (event: Event) => {
      if (this.#drag) event.preventDefault();
    };
    addEventListener("touchmove", preventDuringDrag, {
      signal,
      passive: false,
    });
    addEventListener("contextmenu", preventDuringDrag, { signal });
    addEventListener("dragstart", (event) => event.preventDefault(), {
      signal,
    });
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !this.#drag) return;
      event.preventDefault();
      event.stopPropagation();
      this.cancel();
      this.editor.announced.value = t("editor.dragCanceled");
    };
    addEventListener("keydown", escape, { signal, capture: true });
  }

  #drop({ clientX, clientY }: PointerEvent): void {
    const drag = this.#drag;
    drag?.move(clientX, clientY);
    this.#drag = null;
    this.#stop.abort();
    if (!drag) return;
    ignoreNextClick();
    drag.drop();
  }
}

/** The browser sends a click after a drop to the element at that place. */
function ignoreNextClick(): void {
  const options = { capture: true, once: true } as const;
  addEventListener("click", stopEvent, options);
  setTimeout(() => removeEventListener("click", stopEvent, options));
}

function stopEvent(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/** The palette item, outline row or component on the page at an element; null if it cannot be dragged. */
function findDragged(editor: Editor, target: Element): Dragged | null {
  const type = target.closest("[data-new]")?.getAttribute("data-new");
  if (type) {
    // The palette sets only component types.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return { make: getCatalogEntry(type as ComponentType).make };
  }
  const name = target
    .closest("[data-new-block]")
    ?.getAttribute("data-new-block");
  if (name) return { make: () => ({ type: "partial", name }) };
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
class Drag {
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

  move(x: number, y: number): void {
    this.editor.drag.point.value = { x, y };
  }

  /** Moves or inserts the component at the drop target, if there is one. */
  drop(): void {
    this.#updateSpot();
    const { editor, dragged } = this;
    const spot = editor.drag.dropSpot.peek();
    const entries = getDraggedEntries(editor, dragged);
    const words = getDraggedWords(editor, dragged);
    this.end();
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
  }

  end(): void {
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

/** In CSS px: the distance from an edge at which the page scrolls, and the most it scrolls per frame. */
const SCROLL_MARGIN = 48;
const MAX_STEP = 18;

/** Scrolls the page or the outline if a point is near one of its edges. */
function scrollAtEdge(
  under: Element | null,
  { x, y }: { x: number; y: number },
): void {
  const box = under?.closest(".canvas, .outline-tree");
  if (!box) return;
  const { left, right, top, bottom } = box.getBoundingClientRect();
  box.scrollBy(getStep(x - left, right - x), getStep(y - top, bottom - y));
}

function getStep(fromStart: number, fromEnd: number): number {
  if (fromStart < SCROLL_MARGIN) return -getSpeed(fromStart);
  return fromEnd < SCROLL_MARGIN ? getSpeed(fromEnd) : 0;
}

function getSpeed(distance: number): number {
  return (MAX_STEP * (SCROLL_MARGIN - Math.max(0, distance))) / SCROLL_MARGIN;
}

/** Shows what is dragged next to the pointer, faded where it cannot be dropped. */
export function DragGhost() {
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
