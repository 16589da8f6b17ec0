import type { Editor } from "../model/editor.js";

/** Once the page is drawn anew, gives the focus to what is selected in it, so that the next key is for that. */
export function focusSelected(editor: Editor): void {
  requestAnimationFrame(() => {
    const id = editor.selected.peek();
    if (id === null || editor.typingIn.peek() !== null) return;
    if (editor.dialog.peek() !== null) return;
    const drawn = document.querySelector<HTMLElement>(
      `.canvas [data-id="${CSS.escape(id)}"]`,
    );
    drawn?.focus({ preventScroll: true });
    drawn?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}
