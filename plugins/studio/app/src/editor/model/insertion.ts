import type {
  Component,
  ComponentType,
} from "../../../../../../core/plugin-api/definition.js";
import { catalogEntry, COMPONENT_TYPES } from "./catalog.js";
import { insertComponent } from "./edits.js";
import type { Editor } from "./editor.js";
import { withNewIds } from "./ids.js";
import { mayStand } from "./placement.js";
import { type Entry, type ListKey, listKey, type Spot } from "./tree.js";

/**
 * Where components of these types go when somebody asks for them here: into what is selected where that is empty or
 * takes nothing else beside it, else after it or after the nearest thing around it, else at the end of the body, or of
 * the footer or the header.
 * Null where they may not stand.
 */
export function nearestSpot(
  editor: Editor,
  types: readonly ComponentType[],
  from: string | null,
): Spot | null {
  const { entries, lists } = editor.tree.peek();
  const fits = (key: ListKey) =>
    types.every((type) => mayStand(editor, type, key));
  const start = from === null ? undefined : entries.get(from);
  if (start) {
    const inner = lists.get(listKey(start.id, "components"));
    const isMeant = inner?.components.length === 0 || !fits(start.spot.list);
    if (inner && isMeant && fits(inner.key))
      return { list: inner.key, index: inner.components.length };
  }
  for (let next = start; next; next = parentOf(editor, next)) {
    const { list, index } = next.spot;
    if (fits(list)) return { list, index: index + 1 };
  }
  const end = (["body", "footer", "header"] as const).find(fits);
  if (end === undefined) return null;
  return { list: end, index: lists.get(end)?.components.length ?? 0 };
}

/** The types that may be added from here, in the order of the palette. */
export function addable(editor: Editor, from: string | null): ComponentType[] {
  return COMPONENT_TYPES.filter((type) => nearestSpot(editor, [type], from));
}

/** Adds a new component of a type to where it is asked for, and selects it. Null where it may not stand. */
export function addNew(editor: Editor, type: ComponentType): Component | null {
  const spot = nearestSpot(editor, [type], editor.selected.peek());
  if (!spot || !editor.mayEdit) return null;
  const made = withNewIds(catalogEntry(type).make());
  insertComponent(editor, made, spot);
  return made;
}

function parentOf(editor: Editor, { parentId }: Entry): Entry | undefined {
  return parentId === null
    ? undefined
    : editor.tree.peek().entries.get(parentId);
}
