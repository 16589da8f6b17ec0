import type {
  Component,
  ComponentType,
} from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { getCatalogEntry } from "./catalog.js";
import type { DropSpot, Editor } from "./editor.js";
import { listFor } from "./edits.js";
import { findRefusalInside, isAllowedIn } from "./placement.js";
import { grow, percent, percentages, total } from "./table-edits.js";
import type { Entry, ListKey } from "./tree.js";

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
    entries.every((entry) => entry.spot.list === list) &&
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
  list: ListKey,
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

/** What is put into a column: existing components in document order, or new ones. */
type Content = { entries: readonly Entry[] } | { made: readonly Component[] };

/** Whether a list is a row of columns, in which components that are no columns get a new one. */
export function isColumnRow(editor: Editor, list: ListKey): boolean {
  const { entries, lists } = editor.tree.peek();
  const { ownerId, slot } = lists.get(list) ?? { ownerId: null, slot: null };
  const type = entries.get(ownerId ?? "")?.component.type;
  return slot === "components" && (type === "columns" || type === "section");
}

/** Whether components of these types can get a column in a row of columns or, beside a component, in its list. */
export function canBeColumn(
  editor: Editor,
  types: readonly ComponentType[],
  list: ListKey,
): boolean {
  const isMeant = (type: ComponentType) =>
    type !== "page-break" && isAllowedInside(editor, type, "column", list);
  return (
    types.every(isMeant) &&
    (isColumnRow(editor, list) || isAllowedIn(editor, "columns", list))
  );
}

/**
 * Puts components into a new column and selects them: in a row of columns before the column at `spot`, elsewhere beside the
 * component at `spot`, which gets a column too.
 */
export function placeInColumn(
  editor: Editor,
  content: Content,
  { list: key, index, beside }: DropSpot,
): void {
  if (!editor.mayEdit) return;
  const entries = "entries" in content ? content.entries : [];
  const made = "made" in content ? content.made : [];
  const [first] = [...entries.map(({ component }) => component), ...made];
  if (!first) return;
  const component = getCatalogEntry(first.type).words;
  const name =
    entries.length > 0
      ? t("edits.moveComponent", { component })
      : t("edits.addComponent", { component });
  editor.change(name, (draft) => {
    const list = listFor(editor, draft, key) ?? [];
    const target = list[beside ? index : index - 1];
    const moved = entries
      .toReversed()
      .flatMap(
        ({ spot }) =>
          listFor(editor, draft, spot.list)?.splice(spot.index, 1) ?? [],
      )
      .toReversed();
    const column = createColumn([...moved, ...made]);
    const at = target ? list.indexOf(target) : -1;
    if (beside && target) {
      const other = createColumn([target]);
      const columns = beside === "before" ? [column, other] : [other, column];
      const id = crypto.randomUUID();
      list.splice(at, 1, { type: "columns", id, components: columns });
    } else {
      list.splice(at + 1, 0, column);
      shareWidth(list, at + 1);
    }
  });
  const ids = [...entries, ...made].flatMap(({ id }) => id ?? []);
  editor.selected.replace(ids);
}

/** If all other columns have widths in percent, the new one gets an equal share of them. */
function shareWidth(list: readonly Component[], at: number): void {
  const columns = list.flatMap((component) =>
    component.type === "column" ? [component] : [],
  );
  const others = columns.filter((column) => column !== list[at]);
  const shares = percentages(others);
  const made = list[at];
  if (!shares || made?.type !== "column") return;
  const sum = total(shares);
  made.width = percent(sum / columns.length);
  grow(others, sum - sum / columns.length);
}

/** A component alone gets an empty column beside it. */
function toColumns(components: readonly Component[]): Component[] {
  const lists = components.map((component) => [component]);
  return [...lists, ...(lists.length === 1 ? [[]] : [])].map(createColumn);
}

function createColumn(components: Component[]): Component {
  return { type: "column", id: crypto.randomUUID(), components };
}
