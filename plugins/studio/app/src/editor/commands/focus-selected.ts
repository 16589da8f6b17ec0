import { elementOf } from "../canvas/box.js";
import type { Editor } from "../model/editor.js";

/** Once the page is drawn anew, scrolls to what is selected in it. */
export function showSelected(editor: Editor): void {
  withSelected(editor, (drawn) =>
    drawn.scrollIntoView({ block: "nearest", inline: "nearest" }),
  );
}

/** As `showSelected`, and gives it the focus, so that the next key is for it. */
export function focusSelected(editor: Editor): void {
  withSelected(editor, (drawn) => {
    if (editor.typingIn.peek() !== null || editor.dialog.peek() !== null)
      return;
    drawn.focus({ preventScroll: true });
    drawn.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}

function withSelected(editor: Editor, act: (drawn: HTMLElement) => void): void {
  requestAnimationFrame(() => {
    const id = editor.selected.peek();
    const page = document.querySelector(".canvas");
    const drawn = id === null || !page ? null : elementOf(page, id);
    if (drawn) act(drawn);
  });
}
