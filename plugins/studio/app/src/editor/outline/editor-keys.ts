import type { Editor } from "../model/editor.js";

/** Keys for the page as a whole: undo and redo. */
export function useEditorKeys(editor: Editor) {
  return (event: KeyboardEvent): void => {
    const isCommand = event.metaKey || event.ctrlKey;
    const key = event.key.toLowerCase();
    const isRedo = key === "y" || (key === "z" && event.shiftKey);
    if (!isCommand || !(key === "z" || key === "y")) return;
    event.preventDefault();
    if (isRedo) editor.redo();
    else editor.undo();
  };
}
