import type { ReadonlySignal } from "@preact/signals";
import { useEditor } from "../model/editor.js";
import type { Tree, Spot } from "../model/tree.js";
import type { OutlineRow } from "./outline-rows.js";
import { rowHeight } from "./use-window.js";

/** Where in the outline what is dragged would go. */
export function DropMark({
  rows,
}: {
  rows: ReadonlySignal<readonly OutlineRow[]>;
}) {
  const editor = useEditor();
  const spot = editor.drag.dropSpot.value;
  if (!spot) return null;
  const mark = markAt(editor.tree.value, rows.value, spot);
  if (!mark) return null;
  return (
    <div
      class={mark.isInto ? "outline-into" : "outline-drop"}
      role="none"
      style={{
        top: `${mark.index * rowHeight}px`,
        left: `${(mark.level - 1) * 14 + 4}px`,
      }}
    />
  );
}

/** Between two lines; on the line that holds it where what it holds is not to be seen. */
function markAt(
  tree: Tree,
  rows: readonly OutlineRow[],
  { list, index }: Spot,
): { index: number; level: number; isInto: boolean } | null {
  const found = tree.lists.get(list);
  const at = (key: string | undefined) =>
    rows.findIndex((row) => row.key === key);
  const next = at(found?.components[index]?.id);
  const nextRow = rows[next];
  if (nextRow) return { index: next, level: nextRow.level, isInto: false };
  const last = at(found?.components.at(-1)?.id);
  const lastRow = rows[last];
  if (lastRow) {
    const end = rows.findIndex(
      (row, place) => place > last && row.level <= lastRow.level,
    );
    const below = end < 0 ? rows.length : end;
    return { index: below, level: lastRow.level, isInto: false };
  }
  const holder = rows.findIndex((row) => row.list === list);
  const holderRow = rows[holder];
  return holderRow
    ? { index: holder, level: holderRow.level, isInto: true }
    : null;
}
