import "./outline.css";
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { isBandName, setBand } from "../model/edits.js";
import { useEditor } from "../model/editor-context.js";
import { BandButtons } from "./band-buttons.js";
import { DropMark } from "./drop-mark.js";
import { OutlineLine, rowId } from "./outline-line.js";
import {
  type OutlineRow,
  outlineRows,
  turnedOver,
  unfolding,
} from "./outline-rows.js";
import { treeKey } from "./tree-keys.js";
import { problemMarks } from "./problem-marks.js";
import { rowHeight, useWindow } from "./use-window.js";

/** All that the template consists of, as a tree. Of thousands of lines, those in sight are drawn. */
export function Outline() {
  const editor = useEditor();
  const tree = useRef<HTMLDivElement>(null);
  const turned = useSignal<ReadonlySet<string>>(new Set());
  const cursor = useSignal<string>("body");
  const rows = useComputed(() => outlineRows(editor.tree.value, turned.value));
  const marks = useComputed(() => problemMarks(editor));
  const { from, to, show } = useWindow(tree, rows);
  useSignalEffect(() => {
    const id = editor.selected.value;
    if (id === null) return;
    cursor.value = id;
    turned.value = unfolding(editor.tree.peek(), turned.peek(), id);
    show(rows.peek().findIndex(({ key }) => key === id));
  });
  const choose = (index: number) => {
    const row = rows.peek()[index];
    if (!row) return;
    editor.selected.value = row.component ? row.key : null;
    cursor.value = row.key;
    show(index);
  };
  const turn = (key: string) => {
    turned.value = turnedOver(turned.peek(), key);
  };
  const remove = ({ key, words }: OutlineRow) => {
    if (!isBandName(key) || !editor.mayEdit) return;
    setBand(editor, key, false);
    cursor.value = "body";
    editor.announced.value = `${words} deleted`;
  };
  const at = rows.value.findIndex(({ key }) => key === cursor.value);
  const seen = rows.value.slice(from.value, to.value);
  return (
    <div class="outline">
      <div
        class="outline-tree"
        role="tree"
        aria-label="Outline"
        tabIndex={0}
        aria-activedescendant={at < 0 ? undefined : rowId(cursor.value)}
        ref={tree}
        onKeyDown={(event) =>
          treeKey(event, {
            editor,
            rows: rows.peek(),
            at,
            choose,
            turn,
            remove,
          })
        }
      >
        <div
          class="outline-lines"
          role="none"
          style={{ height: `${rows.value.length * rowHeight}px` }}
        >
          {seen.map((row, index) => (
            <OutlineLine
              key={row.key}
              row={row}
              index={from.value + index}
              isSelected={editor.selected.value === row.key}
              isCursor={cursor.value === row.key}
              problem={marks.value.get(row.key)}
              onChoose={choose}
              onTurn={turn}
              onRemove={editor.mayEdit ? remove : undefined}
            />
          ))}
          <DropMark rows={rows} />
        </div>
      </div>
      {editor.mayEdit && <BandButtons />}
    </div>
  );
}
