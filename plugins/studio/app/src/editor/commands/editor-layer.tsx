import { useEditor } from "../model/editor-context.js";
import { DragGhost, useDrags } from "../drag/drag.js";
import { AddDialog } from "./add-dialog.js";
import { KeysDialog } from "./keys-dialog.js";
import { t } from "../../messages/index.js";

/** Renders above the editor: its dialogs, the drag preview, and announcements for screen readers. */
export function EditorLayer() {
  const editor = useEditor();
  useDrags(editor);
  const close = () => {
    editor.dialog.value = null;
  };
  return (
    <>
      <p class="hidden-text" role="status" aria-label={t("editor.lastAction")}>
        {editor.announced.value}
      </p>
      <DragGhost />
      {editor.dialog.value === "add" && <AddDialog onClose={close} />}
      {editor.dialog.value === "keys" && <KeysDialog onClose={close} />}
    </>
  );
}
