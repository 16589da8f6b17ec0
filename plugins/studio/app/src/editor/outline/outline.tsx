import "./outline.css";
import { useRef } from "preact/hooks";
import type { Editor } from "../model/editor.js";
import { useEditor } from "../model/editor-context.js";
import { BandButtons } from "./band-buttons.js";
import { DropMark } from "./drop-mark.js";
import { OutlineLine, rowId } from "./outline-line.js";
import { treeKey } from "./tree-keys.js";
import { useOutline } from "./use-outline.js";
import { rowHeight } from "./use-window.js";

/** All that the template consists of, as a tree. Of thousands of lines, those in sight are drawn. */
export function Outline() {
  const editor = useEditor();
  const tree = useRef<HTMLDivElement>(null);
  const outline = useOutline(tree);
  const { rows, from, to, at, cursor, marks, actions } = outline;
  return (
    <div class="outline">
      <div
        class="outline-tree"
        role="tree"
        aria-label="Outline"
        tabIndex={0}
        aria-activedescendant={at < 0 ? undefined : rowId(cursor.value)}
        ref={tree}
        {...hovering(editor)}
        onKeyDown={(event) => treeKey(event, { ...outline, editor })}
      >
        <div
          class="outline-lines"
          role="none"
          style={{ height: `${rows.value.length * rowHeight}px` }}
        >
          {rows.value.slice(from.value, to.value).map((row, index) => (
            <OutlineLine
              key={row.key}
              row={row}
              index={from.value + index}
              isSelected={editor.selected.value === row.key}
              isCursor={cursor.value === row.key}
              problem={marks.value.get(row.key)}
              actions={actions}
            />
          ))}
          <DropMark rows={rows} />
        </div>
      </div>
      {editor.mayEdit && <BandButtons />}
    </div>
  );
}

/** What the pointer is over is marked on the page, too. */
function hovering({ hovered }: Editor) {
  return {
    onPointerOver: ({ target }: PointerEvent) => {
      const line = target instanceof Element && target.closest("[data-row]");
      hovered.value = line ? line.getAttribute("data-row") : null;
    },
    onPointerLeave: () => {
      hovered.value = null;
    },
  };
}
