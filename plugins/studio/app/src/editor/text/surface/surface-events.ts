import type { EditorView } from "prosemirror-view";
import type { TextSurface } from "./text-surface.js";

/** Keys of the page as a whole, which pass; all others are the text's own. */
const PASSING = /^[sp]$/i;

function keep(_view: EditorView, event: Event): boolean {
  event.stopPropagation();
  return false;
}

/** What the text keeps from the page around it, and how it hears that it was left. */
export function surfaceEvents(surface: TextSurface) {
  return {
    keydown: (_view: EditorView, event: KeyboardEvent) => {
      const isForPage =
        (event.ctrlKey || event.metaKey) && PASSING.test(event.key);
      if (!isForPage) event.stopPropagation();
      return false;
    },
    pointerdown: keep,
    mousedown: keep,
    dblclick: keep,
    copy: keep,
    cut: keep,
    paste: keep,
    dragstart: keep,
    drop: keep,
    // Undo from the browser's own menu.
    beforeinput: (_view: EditorView, event: InputEvent) => {
      const { editor } = surface.options;
      if (!event.inputType.startsWith("history")) return false;
      event.preventDefault();
      if (event.inputType === "historyUndo") editor.undo();
      else editor.redo();
      return true;
    },
    blur: (_view: EditorView, event: FocusEvent) => {
      const to = event.relatedTarget;
      const isBeside =
        to instanceof Element && to.closest("[data-text-overlay]");
      // A window that is left comes back to where it was.
      if (isBeside || !document.hasFocus()) return false;
      surface.trigger.close();
      surface.options.onLeave("blur");
      return false;
    },
  };
}
