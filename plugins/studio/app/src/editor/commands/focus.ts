import { findElement } from "../canvas/boxes.js";
import type { Editor } from "../model/editor.js";

/** Where the focus is. `page` is the document body or the editor as a whole. */
type FocusArea = "canvas" | "outline" | "page";

/** Null in fields and controls, which handle their keys themselves. */
export function getFocusArea(target: EventTarget | null): FocusArea | null {
  if (!(target instanceof Element)) return null;
  if (target === document.body || target.matches(".editor"))
    return document.querySelector(".canvas") ? "page" : null;
  const control = target.closest(
    "button, a, input, textarea, select, summary, dialog, [contenteditable]",
  );
  // Buttons and links of the template are components on the page, not controls.
  if (control && !control.hasAttribute("data-id")) return null;
  if (target.closest(".canvas")) return "canvas";
  return target.closest("[role=tree]") ? "outline" : null;
}

/** Whether undo applies to the template: everywhere except in dialogs and search fields. */
export function isUndoTarget(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return true;
  return !target.closest("dialog, input[type=search]");
}

/** Scrolls to the selected component once the page is rendered. */
export function scrollToSelected(editor: Editor): void {
  onSelectedElement(editor, (element) =>
    element.scrollIntoView({ block: "nearest", inline: "nearest" }),
  );
}

/** Like `scrollToSelected`, and moves the focus to the component. */
export function focusSelected(editor: Editor): void {
  onSelectedElement(editor, (element) => {
    if (editor.typingIn.peek() !== null || editor.dialog.peek() !== null)
      return;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}

/** Leaves the focus in the outline if it is there. */
export function focusSelectedOnPage(editor: Editor): void {
  if (getFocusArea(document.activeElement) !== "outline") focusSelected(editor);
}

function onSelectedElement(
  editor: Editor,
  act: (element: HTMLElement) => void,
): void {
  requestAnimationFrame(() => {
    const id = editor.selected.peek();
    const page = document.querySelector(".canvas");
    const element = id === null || !page ? null : findElement(page, id);
    if (element) act(element);
  });
}
