import { useRef } from "preact/hooks";
import { lineage } from "../model/tree.js";
import type { CanvasState } from "./canvas-state.js";

/** What presses on the page do: select, reach for what is around, begin to type. */
export function usePointer(canvas: CanvasState) {
  const { editor, hovered } = canvas;
  const last = useRef<string | null>(null);
  return {
    onClick(event: MouseEvent) {
      if (isForOthers(event)) return;
      const id = idAt(event.target);
      // A second press of two is on its way to typing.
      if (event.detail > 1) return;
      const before = editor.selected.peek();
      editor.selected.value =
        id !== null && id === last.current ? around(canvas, before, id) : id;
      last.current = id;
    },
    onDblClick(event: MouseEvent) {
      if (isForOthers(event)) return;
      const id = idAt(event.target);
      if (id === null || !editor.mayEdit) return;
      editor.selected.value = id;
      if (!hasText(canvas, id)) return;
      editor.typingPoint.value = { x: event.clientX, y: event.clientY };
      editor.typingIn.value = id;
    },
    onPointerOver(event: PointerEvent) {
      if (event.pointerType === "mouse") hovered.value = idAt(event.target);
    },
    onPointerLeave() {
      hovered.value = null;
    },
  };
}

/** The innermost component at a place on the page. */
function idAt(target: EventTarget | null): string | null {
  const element = target instanceof Element ? target : null;
  const holder = element?.closest<HTMLElement>("[data-id]");
  return holder?.dataset["id"] ?? null;
}

/** Whether a press is for a control of the editor's own, or for the text that is being typed. */
function isForOthers({ target }: Event): boolean {
  return (
    target instanceof Element &&
    target.closest("button, input, [contenteditable], .canvas-tools") !== null
  );
}

/** One press after the other on the same thing goes outward, and begins again at the innermost. */
function around(
  { editor }: CanvasState,
  selected: string | null,
  innermost: string,
): string {
  const line = lineage(editor.tree.peek(), innermost).map(({ id }) => id);
  const at = selected === null ? -1 : line.indexOf(selected);
  return line[at - 1] ?? innermost;
}

function hasText({ editor }: CanvasState, id: string): boolean {
  const type = editor.tree.peek().entries.get(id)?.component.type;
  return (
    type === "text" ||
    type === "heading" ||
    type === "button" ||
    type === "list-item" ||
    type === "table-cell"
  );
}
