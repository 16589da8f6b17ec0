import type { Editor } from "../model/editor.js";
import { gridOf, tablePlace } from "../model/table-edits.js";
import type { Entry } from "../model/tree.js";

export type Direction = "up" | "down" | "left" | "right";

/**
 * Selects what stands there: up and down the neighbours, left what is around, right what is within. Among cells and
 * columns, which stand side by side, left and right are the neighbours, and up and down the cells of other rows.
 */
export function walk(editor: Editor, direction: Direction): void {
  const { entries, lists } = editor.tree.peek();
  const here = editor.selectedEntry.peek();
  const next = here
    ? stepFrom(editor, here, direction)
    : (lists.get("body")?.components[0]?.id ?? null);
  if (next !== null && entries.has(next)) editor.selected.value = next;
}

function stepFrom(
  editor: Editor,
  here: Entry,
  direction: Direction,
): string | null {
  const { type } = here.component;
  if (type === "table-cell") return cellBeside(editor, here, direction);
  const isBeside = type === "column";
  const ways: Record<Direction, () => string | null> = {
    up: () => sibling(editor, here, -1) ?? here.parentId,
    down: () => following(editor, here),
    left: () => (isBeside ? sibling(editor, here, -1) : null) ?? here.parentId,
    right: () =>
      isBeside ? sibling(editor, here, 1) : (firstChild(here) ?? null),
  };
  return ways[direction]();
}

function sibling(editor: Editor, { spot }: Entry, by: number): string | null {
  const list = editor.tree.peek().lists.get(spot.list);
  return list?.components[spot.index + by]?.id ?? null;
}

/** The next one, or what follows all that is around it. */
function following(editor: Editor, here: Entry): string | null {
  const { entries } = editor.tree.peek();
  for (let one: Entry | undefined = here; one;) {
    const next = sibling(editor, one, 1);
    if (next !== null) return next;
    one = entries.get(one.parentId ?? "");
  }
  return null;
}

function firstChild({ component }: Entry): string | undefined {
  return "components" in component ? component.components?.[0]?.id : undefined;
}

function cellBeside(
  editor: Editor,
  here: Entry,
  direction: Direction,
): string | null {
  if (direction === "left") return sibling(editor, here, -1) ?? here.parentId;
  if (direction === "right") return sibling(editor, here, 1);
  const table = tablePlace(editor, here.id)?.table;
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
  return direction === "up" ? here.parentId : following(editor, table);
}
