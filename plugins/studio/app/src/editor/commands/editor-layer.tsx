import { useEditor } from "../model/editor.js";
import { DragGhost } from "../drag/drag-ghost.js";
import { useDrags } from "../drag/use-drags.js";
import { AddDialog } from "./add-dialog.js";
import { KeysDialog } from "./keys-dialog.js";

/** What lies over the editor: dialogs that keys open, what is dragged, and what is said of each step. */
export function EditorLayer() {
  const editor = useEditor();
  useDrags(editor);
  const close = () => {
    editor.dialog.value = null;
  };
  return (
    <>
      <p class="hidden-text" role="status" aria-label="What was done">
        {editor.announced.value}
      </p>
      <DragGhost />
      {editor.dialog.value === "add" && <AddDialog onClose={close} />}
      {editor.dialog.value === "keys" && <KeysDialog onClose={close} />}
    </>
  );
}
