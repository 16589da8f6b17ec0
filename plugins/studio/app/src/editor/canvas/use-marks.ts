import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { componentAt } from "../model/tree.js";
import { elementOf } from "./box.js";
import type { CanvasState } from "./canvas-state.js";
import { useAfterDrawing } from "./use-after-drawing.js";

/**
 * What is marked on the drawn components is set on their elements, so that no component is drawn anew for it: which
 * of them the Tab key reaches (the selected one), and which have problems.
 */
export function useMarks(
  canvas: CanvasState,
  scroller: { current: HTMLElement | null },
): void {
  const { editor } = canvas;
  const faults = useMemo(() => faultsById(canvas), [canvas]);
  const drawn = () => {
    void editor.definition.value;
    void canvas.opened.value;
    void canvas.page.value;
  };
  useAfterDrawing(
    () => {
      drawn();
      void editor.selected.value;
    },
    () => mark(scroller.current, editor.selected.peek(), select),
  );
  useAfterDrawing(
    () => {
      drawn();
      void faults.value;
    },
    () => {
      const ends = [...faults.peek()].map(([id, words]) =>
        mark(scroller.current, id, (element) => tellFault(element, words)),
      );
      return () => ends.forEach((end) => end?.());
    },
  );
}

function select(element: HTMLElement): () => void {
  element.tabIndex = 0;
  element.dataset["selected"] = "";
  return () => {
    element.tabIndex = -1;
    delete element.dataset["selected"];
  };
}

function tellFault(element: HTMLElement, words: string): () => void {
  element.dataset["problem"] = "";
  element.title = words;
  return () => {
    delete element.dataset["problem"];
    element.removeAttribute("title");
  };
}

function mark(
  root: HTMLElement | null,
  id: string | null,
  set: (element: HTMLElement) => () => void,
): (() => void) | undefined {
  const element = root && id !== null ? elementOf(root, id) : null;
  return element ? set(element) : undefined;
}

/** The checker's words by component, each time it answers. */
function faultsById({ editor }: CanvasState) {
  return computed(() => {
    const found = new Map<string, string>();
    for (const { path, message } of editor.facts.value?.problems ?? []) {
      const id = componentAt(editor.tree.peek(), path);
      if (id === null) continue;
      const before = found.get(id);
      found.set(id, before === undefined ? message : `${before}\n${message}`);
    }
    return found;
  });
}
