import { useLayoutEffect } from "preact/hooks";
import type { Editor } from "../model/editor.js";
import { copySelected, cutSelected, pasteHere } from "./commands.js";
import { focusPlace } from "./focus-place.js";
import { focusSelected } from "./focus-selected.js";

/** Copy, cut and paste of components, by the browser's own events: they work on every origin and ask nobody. */
export function useClipboard(editor: Editor): void {
  useLayoutEffect(() => {
    const put = (take: (editor: Editor) => string | null) => {
      return (event: ClipboardEvent) => {
        const text = isOurs() ? take(editor) : null;
        if (text === null) return;
        event.preventDefault();
        event.clipboardData?.setData("text/plain", text);
        focusAfter(editor);
      };
    };
    const copy = put(copySelected);
    const cut = put(cutSelected);
    const paste = (event: ClipboardEvent) => {
      if (!isOurs()) return;
      event.preventDefault();
      pasteHere(editor, event.clipboardData?.getData("text/plain") ?? "");
      focusAfter(editor);
    };
    document.addEventListener("copy", copy);
    document.addEventListener("cut", cut);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("cut", cut);
      document.removeEventListener("paste", paste);
    };
  }, [editor]);
}

/** Whoever has marked words means these, and whoever types in a field means the field. */
function isOurs(): boolean {
  const isMarked = getSelection()?.isCollapsed === false;
  return !isMarked && focusPlace(document.activeElement) !== null;
}

function focusAfter(editor: Editor): void {
  if (focusPlace(document.activeElement) !== "outline") focusSelected(editor);
}
