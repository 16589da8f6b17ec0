import { useSignalEffect } from "@preact/signals";
import { type Entry, lineage, listKey } from "../model/tree.js";
import { boxOf, elementOf } from "./box.js";
import type { CanvasState } from "./canvas-state.js";
import { useAfterDrawing } from "./use-after-drawing.js";

/** Room above and below what is brought into sight, in px. */
const around = 48;

/** What gets selected anywhere is shown: the lists around it are opened, its page is turned to, and it is scrolled into sight. */
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
    if (line[0]) turnTo(canvas, line[0]);
  });
  useAfterDrawing(
    () => void editor.selected.value,
    () => {
      const id = editor.selected.peek();
      const view = scroller.current;
      const element = view && id !== null ? elementOf(view, id) : null;
      if (view && element) scrollTo(view, element);
      return undefined;
    },
  );
}

/** To the page on which that header or footer is printed. */
function turnTo({ page, editor }: CanvasState, { region }: Entry): void {
  if (region === "body") return;
  const isOfFirst = region === "firstHeader" || region === "firstFooter";
  const setup = editor.definition.peek().page;
  const first = region === "header" ? setup?.firstHeader : setup?.firstFooter;
  if (isOfFirst) page.value = "first";
  else if (first !== undefined) page.value = "others";
}

/** Only when nothing of it is in sight. */
function scrollTo(view: HTMLElement, element: HTMLElement): void {
  const box = boxOf(element);
  const { top, bottom } = view.getBoundingClientRect();
  if (box.top + box.height < top + 8)
    view.scrollBy({ top: box.top - top - around });
  else if (box.top > bottom - 8)
    view.scrollBy({
      top: Math.min(
        box.top + box.height - bottom + around,
        box.top - top - around,
      ),
    });
}
