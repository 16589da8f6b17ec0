import type { Editor } from "./editor.js";
import type { Entry } from "./tree.js";
import { findTablePlace, gridOf } from "./table-edits.js";

export type Direction = "up" | "down" | "left" | "right";

/**
 * Selects the component in a direction: up and down select siblings, left the parent, right the first child. Cells and
 * columns are side by side: for them, left and right select siblings, and up and down the cells of other rows.
 */
export function navigate(editor: Editor, direction: Direction): void {
  const { entries, lists } = editor.tree.peek();
  const here = editor.selectedEntry.peek();
  const next = here
    ? findNext(editor, here, direction)
    : (lists.get("body")?.components[0]?.id ?? null);
  if (next !== null && entries.has(next)) editor.selected.value = next;
}

function findNext(
  editor: Editor,
  here: Entry,
  direction: Direction,
): string | null {
  const { type } = here.component;
  if (type === "table-cell") return findAdjacentCell(editor, here, direction);
  const isColumn = type === "column";
  const ways: Record<Direction, () => string | null> = {
    up: () => findSibling(editor, here, -1) ?? here.parentId,
    down: () => findFollowing(editor, here),
    left: () =>
      (isColumn ? findSibling(editor, here, -1) : null) ?? here.parentId,
    right: () =>
      isColumn ? findSibling(editor, here, 1) : (getFirstChild(here) ?? null),
  };
  return ways[direction]();
}

function findSibling(
  editor: Editor,
  { spot }: Entry,
  by: number,
): string | null {
  const list = editor.tree.peek().lists.get(spot.list);
  return list?.components[spot.index + by]?.id ?? null;
}

/** The next sibling, or else the next sibling of the nearest ancestor that has one. */
function findFollowing(editor: Editor, here: Entry): string | null {
  const { entries } = editor.tree.peek();
  for (let entry: Entry | undefined = here; entry;) {
    const next = findSibling(editor, entry, 1);
    if (next !== null) return next;
    entry = entries.get(entry.parentId ?? "");
  }
  return null;
}

function getFirstChild({ component }: Entry): string | undefined {
  return "components" in component ? component.components?.[0]?.id : undefined;
}

function findAdjacentCell(
  editor: Editor,
  here: Entry,
  direction: Direction,
): string | null {
  if (direction === "left")
    return findSibling(editor, here, -1) ?? here.parentId;
  if (direction === "right") return findSibling(editor, here, 1);
  const table = findTablePlace(editor, here.id)?.table;
  if (table?.component.type !== "table") return here.parentId;
  const grid = gridOf(table.component);
  const at = grid.findIndex(({ cells }) =>
    cells.some(({ cell }) => cell.id === here.id),
  );
  const column =
    grid[at]?.cells.find(({ cell }) => cell.id === here.id)?.from ?? 0;
  const row = grid[at + (direction === "down" ? 1 : -1)];
  const cell = row?.cells.find(({ from, to }) => from <= column && column < to);
  if (cell) return cell.cell.id ?? null;
  return direction === "up" ? here.parentId : findFollowing(editor, table);
}
