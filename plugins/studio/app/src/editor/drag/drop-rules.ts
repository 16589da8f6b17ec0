import type { ComponentType } from "../../../../../../core/plugin-api/definition.js";
import type { Dragged, Editor } from "../model/editor.js";
import { isWithin } from "../model/edits.js";
import { mayStand } from "../model/placement.js";
import type { ListKey } from "../model/tree.js";

export function draggedType(
  editor: Editor,
  dragged: Dragged,
): ComponentType | null {
  if ("make" in dragged) return dragged.make().type;
  const entry = editor.tree.peek().entries.get(dragged.id);
  return entry?.component.type ?? null;
}

/** Tells of each list whether what is dragged may be dropped in it: where its type may stand, and not in itself. */
export function dropRule(
  editor: Editor,
  dragged: Dragged,
): (key: ListKey) => boolean {
  const type = draggedType(editor, dragged);
  return (key) => {
    const list = editor.tree.peek().lists.get(key);
    if (!type || !list || !mayStand(editor, type, key)) return false;
    return !("id" in dragged && isWithin(editor, list.ownerId, dragged.id));
  };
}
