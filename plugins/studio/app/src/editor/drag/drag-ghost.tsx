import "./drag.css";
import { Icon } from "../../ui/icon.js";
import { catalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor-context.js";
import { getDraggedType } from "./drop-target.js";

/** Shows what is dragged next to the pointer, faded where it cannot be dropped. */
export function DragGhost() {
  const editor = useEditor();
  const { dragged, dropSpot, point } = editor.drag;
  const type = dragged.value && getDraggedType(editor, dragged.value);
  if (!type) return null;
  const { words, icon } = catalogEntry(type);
  const { x, y } = point.value;
  return (
    <div
      class={`drag-ghost ${dropSpot.value ? "" : "nowhere"}`}
      style={{ translate: `${x + 12}px ${y + 10}px` }}
    >
      <Icon name={icon} size={16} />
      {words}
    </div>
  );
}
