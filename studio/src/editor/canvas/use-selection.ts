import { computed, useSignalEffect } from "@preact/signals";
import { useRef, useMemo } from "preact/hooks";
import { createComponentFinder, lineage, listKey } from "../model/tree.js";
import type { PropertiesPart } from "../model/editor.js";
import {
  findCopies,
  findElement,
  findElements,
  getBox,
  getRects,
  useAfterRender,
} from "./boxes.js";
import type { CanvasState } from "./canvas-state.js";

/** Handles the pointer on the page: selects components and their ancestors, starts editing text. */
export function usePointer(canvas: CanvasState) {
  const { editor } = canvas;
  const last = useRef<string | null>(null);
  return {
    onClick(event: MouseEvent) {
      if (isControl(event)) return;
      const badge = findBadge(event);
      if (badge) {
        editor.selected.value = badge.id;
        editor.shownPart.value = badge.part;
        return;
      }
      const id = findComponentId(event.target);
      // The second click of a double click does not change the selection.
      if (event.detail > 1 && !event.shiftKey) return;
      if (event.shiftKey && id !== null) {
        editor.selected.toggle(findSiblingAround(canvas, id));
        last.current = null;
        return;
      }
      const before = editor.selected.peek();
      editor.selected.value =
        id !== null && id === last.current
          ? getNextOutward(canvas, before, id)
          : id;
      last.current = id;
    },
    onMouseDown(event: MouseEvent) {
      // A click with Shift adds to the selection: it must not mark text of the page.
      if (event.shiftKey && !isControl(event)) event.preventDefault();
    },
    onDblClick(event: MouseEvent) {
      if (isControl(event) || event.shiftKey || findBadge(event)) return;
      const id = findComponentId(event.target);
      if (id === null || !editor.mayEdit) return;
      editor.selected.value = id;
      if (!isTextComponent(canvas, id)) return;
      editor.typingPoint.value = { x: event.clientX, y: event.clientY };
      editor.typingIn.value = id;
    },
    onPointerOver(event: PointerEvent) {
      const { target } = event;
      // The handles of what is hovered keep it hovered.
      if (target instanceof Element && target.closest(".sheet-overlay")) return;
      if (event.pointerType === "mouse")
        editor.hovered.value = findComponentId(event.target);
    },
    onPointerLeave() {
      editor.hovered.value = null;
    },
  };
}

/** The innermost component at an element. */
function findComponentId(target: EventTarget | null): string | null {
  const element = target instanceof Element ? target : null;
  const holder = element?.closest<HTMLElement>("[data-id], [data-copy]");
  return holder?.dataset["id"] ?? holder?.dataset["copy"] ?? null;
}

/** The height of a line of a badge, in px. */
const BADGE_LINE = 13;

/**
 * The badge at a pointer: what repeats or is conditional has one beside it. It is a pseudo-element, whose events are those
 * of its element, but outside of the element's boxes.
 */
function findBadge({
  target,
  clientX: x,
  clientY: y,
}: MouseEvent): { id: string; part: PropertiesPart } | null {
  if (!(target instanceof HTMLElement)) return null;
  const { note, noteKind } = target.dataset;
  const id = findComponentId(target);
  if (note === undefined || id === null) return null;
  const rects = getRects(target);
  const isInside = rects.some(
    ({ left, top, width, height }) =>
      x >= left && x < left + width && y >= top && y < top + height,
  );
  if (isInside) return null;
  const [first] = rects;
  const lines = note.split("\n").length;
  const line = Math.floor((y - (first?.top ?? y)) / BADGE_LINE);
  // The last line is that of the condition.
  const isCondition =
    noteKind === "condition" ||
    (target.dataset["noteBoth"] !== undefined && line >= lines - 1);
  return { id, part: isCondition ? "condition" : "repeat" };
}

/** Whether a click is on a control of the editor, or in the text that is being edited. */
function isControl({ target }: Event): boolean {
  return (
    target instanceof Element &&
    target.closest(
      "button, input, [contenteditable], .canvas-tools, .sheet-overlay",
    ) !== null
  );
}

/** Repeated clicks on a component select its ancestors one after the other, then start again at the innermost. */
function getNextOutward(
  { editor }: CanvasState,
  selected: string | null,
  innermost: string,
): string {
  const line = lineage(editor.tree.peek(), innermost).map(({ id }) => id);
  const at = selected === null ? -1 : line.indexOf(selected);
  return line[at - 1] ?? innermost;
}

/** The component at or around `innermost` that is beside the selected component; else `innermost`. */
function findSiblingAround({ editor }: CanvasState, innermost: string): string {
  const list = editor.selectedEntry.peek()?.spot.list;
  const line = lineage(editor.tree.peek(), innermost);
  return line.find(({ spot }) => spot.list === list)?.id ?? innermost;
}

function isTextComponent({ editor }: CanvasState, id: string): boolean {
  const type = editor.tree.peek().entries.get(id)?.component.type;
  return (
    type === "text" ||
    type === "heading" ||
    type === "button" ||
    type === "list-item" ||
    type === "table-cell"
  );
}

/**
 * Marks the selected components, of which the last chosen one is in the tab order, and those with problems. The marks are set on the elements, so
 * that no component renders again.
 */
export function useMarks(
  canvas: CanvasState,
  scroller: { current: HTMLElement | null },
): void {
  const { editor } = canvas;
  const problems = useMemo(() => getProblems(canvas), [canvas]);
  const watchRendered = () => {
    void editor.drawn.value;
    void canvas.opened.value;
    void canvas.pageCount.value;
  };
  useAfterRender(
    () => {
      watchRendered();
      void editor.selection.value;
    },
    () => {
      const view = scroller.current;
      const primary = editor.selected.peek();
      const selected = editor.selection.peek();
      const ends = (view ? findElements(view, selected) : []).map((element) =>
        markSelected(element, element.dataset["id"] === primary),
      );
      return () => ends.forEach((end) => end());
    },
  );
  useAfterRender(
    () => {
      watchRendered();
      void problems.value;
    },
    () => {
      const ends = [...problems.peek()].map(([id, words]) =>
        markElement(scroller.current, id, (element) =>
          markProblem(element, words),
        ),
      );
      return () => ends.forEach((end) => end?.());
    },
  );
  useAfterRender(
    () => {
      watchRendered();
      void editor.sampleMarks.value;
    },
    () => {
      const { components } = editor.sampleMarks.peek();
      const ends = [...components.keys()].map((id) =>
        markElement(scroller.current, id, markUnfit),
      );
      return () => ends.forEach((end) => end?.());
    },
  );
}

/** It prints a value of the sample that does not fit. */
function markUnfit(element: HTMLElement): () => void {
  element.dataset["unfit"] = "";
  return () => {
    delete element.dataset["unfit"];
  };
}

function markSelected(element: HTMLElement, isInTabOrder: boolean): () => void {
  if (isInTabOrder) element.tabIndex = 0;
  element.dataset["selected"] = "";
  return () => {
    element.tabIndex = -1;
    delete element.dataset["selected"];
  };
}

function markProblem(element: HTMLElement, words: string): () => void {
  element.dataset["problem"] = "";
  element.title = words;
  return () => {
    delete element.dataset["problem"];
    element.removeAttribute("title");
  };
}

function markElement(
  root: HTMLElement | null,
  id: string | null,
  set: (element: HTMLElement) => () => void,
): (() => void) | undefined {
  const element = root && id !== null ? findElement(root, id) : null;
  return element ? set(element) : undefined;
}

/** The checker's messages by component id. */
function getProblems({ editor }: CanvasState) {
  return computed(() => {
    const messages = new Map<string, string>();
    const findComponent = createComponentFinder(editor.tree.peek());
    for (const { path, message } of editor.facts.value?.problems ?? []) {
      const id = findComponent(path);
      if (id === null) continue;
      const before = messages.get(id);
      messages.set(
        id,
        before === undefined ? message : `${before}\n${message}`,
      );
    }
    return messages;
  });
}

/** Space above and below a component that is scrolled into view, in px. */
const SCROLL_MARGIN = 48;

/** Shows the component that gets selected: expands the alternatives around it and scrolls to it. */
export function useReveal(
  canvas: CanvasState,
  scroller: { current: HTMLElement | null },
): void {
  const { editor } = canvas;
  useSignalEffect(() => {
    const id = editor.selected.value;
    if (id === null) return;
    const line = lineage(editor.tree.peek(), id);
    for (const { parentId, slot } of line)
      if (parentId !== null && (slot === "else" || slot === "empty"))
        canvas.open(listKey(parentId, slot));
  });
  useAfterRender(
    () => void editor.selected.value,
    () => {
      const id = editor.selected.peek();
      const view = scroller.current;
      const element = view && id !== null ? findElement(view, id) : null;
      const copies = view && id !== null ? findCopies(view, id) : [];
      if (view && element && !copies.some((copy) => isVisible(view, copy)))
        revealElement(view, element);
      return undefined;
    },
  );
}

/** Whether a part of an element can be seen. */
function isVisible(view: HTMLElement, element: HTMLElement): boolean {
  const box = getBox(element);
  const { top, bottom } = view.getBoundingClientRect();
  return box.top + box.height >= top + 8 && box.top <= bottom - 8;
}

/** Scrolls only if no part of the element is visible. */
function revealElement(view: HTMLElement, element: HTMLElement): void {
  const box = getBox(element);
  const { top, bottom } = view.getBoundingClientRect();
  if (box.top + box.height < top + 8)
    view.scrollBy({ top: box.top - top - SCROLL_MARGIN });
  else if (box.top > bottom - 8)
    view.scrollBy({
      top: Math.min(
        box.top + box.height - bottom + SCROLL_MARGIN,
        box.top - top - SCROLL_MARGIN,
      ),
    });
}
