import type {
  Component,
  ComponentType,
} from "../../../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { getCatalogEntry } from "./catalog.js";
import type { Editor } from "./editor.js";
import { listFor } from "./edits.js";
import { findRefusalInside, isAllowedIn } from "./placement.js";
import type { Entry } from "./tree.js";

// Puts components into boxes and columns; each edit is one undo step.

export type Wrapper = "container" | "columns";

/** Whether these components have a list in common in which a box or columns may take their place. */
export function canWrap(
  editor: Editor,
  entries: readonly Entry[],
  wrapper: Wrapper,
): boolean {
  const [first] = entries;
  if (!first) return false;
  const { list } = first.spot;
  const inside = wrapper === "columns" ? "column" : wrapper;
  return (
    entries.every((one) => one.spot.list === list) &&
    isAllowedIn(editor, wrapper, list) &&
    entries.every(({ component }) =>
      isAllowedInside(editor, component.type, inside, list),
    )
  );
}

/** Whether a new component in a list may contain a component of this type. */
function isAllowedInside(
  editor: Editor,
  type: ComponentType,
  parent: "container" | "column",
  list: string,
): boolean {
  return (
    findRefusalInside(editor, type, { parent: { type: parent }, list }) === null
  );
}

/**
 * Puts components into a new box, or each into a column of new columns, where the first of them was, and selects the box
 * or the columns.
 */
export function wrapComponents(
  editor: Editor,
  entries: readonly Entry[],
  wrapper: Wrapper,
): void {
  const [first] = entries;
  if (!first || !editor.mayEdit || !canWrap(editor, entries, wrapper)) return;
  const id = crypto.randomUUID();
  const wrap = (inside: Component[]): Component =>
    wrapper === "container"
      ? { type: "container", id, components: inside }
      : { type: "columns", id, components: toColumns(inside) };
  const name = t("arrange.wrap", {
    component: getCatalogEntry(wrapper).words,
  });
  editor.change(name, (draft) => {
    const list = listFor(editor, draft, first.spot.list) ?? [];
    const moved = entries
      .toReversed()
      .flatMap(({ spot }) => list.splice(spot.index, 1))
      .toReversed();
    list.splice(first.spot.index, 0, wrap(moved));
  });
  editor.selected.value = id;
}

/** A component alone gets an empty column beside it. */
function toColumns(components: readonly Component[]): Component[] {
  const lists = components.map((component) => [component]);
  return [...lists, ...(lists.length === 1 ? [[]] : [])].map(createColumn);
}

function createColumn(components: Component[]): Component {
  return { type: "column", id: crypto.randomUUID(), components };
}
