import "./drag.css";
import { Icon } from "../../ui/icon.js";
import { catalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor.js";
import { draggedType } from "./drop-rules.js";

/** What is dragged, beside the pointer; paler where it may not go. */
export function DragGhost() {
  const editor = useEditor();
  const { dragged, dropSpot, point } = editor.drag;
  const type = dragged.value && draggedType(editor, dragged.value);
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
