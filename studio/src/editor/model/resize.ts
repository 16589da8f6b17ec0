import { t } from "../../messages/index.js";
import { getCatalogEntry } from "./catalog.js";
import type { Editor } from "./editor.js";
import { updateComponent } from "./edits.js";
import { countColumns, percent } from "./table-edits.js";
import type { Entry } from "./tree.js";

// Widths and heights that are set by dragging; each is one undo step.

const PX_PER_MM = 96 / 25.4;

/** The columns of a table, or the column components of columns or a section. */
interface ColumnWidths {
  ownerId: string;
  /** Laid out, in CSS px. */
  widths: readonly number[];
  /** The column before the boundary that moves. */
  index: number;
  /** The new width of this column in CSS px; the next one gets what is left. */
  width: number;
}

/** Moves the boundary between two columns. @param thread as in `Editor.change` */
export function resizeColumns(
  editor: Editor,
  { ownerId, widths, index, width }: ColumnWidths,
  thread: string | null = null,
): void {
  const sum = widths.reduce((all, columnWidth) => all + columnWidth, 0);
  const pair = (widths[index] ?? 0) + (widths[index + 1] ?? 0);
  const format = (px: number, before: string | undefined) =>
    isAbsolute(before) && editor.templateType === "document"
      ? `${round(px / PX_PER_MM, 1)}mm`
      : percent((px / sum) * 100);
  const name = t("arrange.resizeColumns");
  updateComponent(
    editor,
    ownerId,
    name,
    (draft) => {
      const columns = getColumns(draft, widths.length);
      if (draft.type === "table")
        // Without a width, the text of a column would decide, and all others would move along.
        for (const [at, column] of columns.entries())
          column.width ??= format(widths[at] ?? 0, undefined);
      const [before, after] = columns.slice(index, index + 2);
      if (!before || !after) return;
      before.width = format(width, before.width);
      after.width = format(pair - width, after.width);
    },
    thread,
  );
}

export function equalizeColumns(editor: Editor, { id, component }: Entry) {
  updateComponent(editor, id, t("arrange.equalWidths"), (draft) => {
    const count = component.type === "table" ? countColumns(component) : 0;
    for (const column of getColumns(draft, count))
      if (draft.type === "table") column.width = percent(100 / count);
      else delete column.width;
  });
}

/** Sets the size of an image or a code. Lengths are CSS px; those that are absent stay. */
export function resizeComponent(
  editor: Editor,
  { id, component }: Entry,
  { width, height, fullWidth }: Size & { fullWidth: number },
): void {
  const name = t("arrange.resizeComponent", {
    component: getCatalogEntry(component.type).words,
  });
  const format = (px: number, before: string | undefined) => {
    if (before?.endsWith("%")) return percent((px / fullWidth) * 100);
    return editor.templateType === "email"
      ? `${Math.round(px)}px`
      : `${round(px / PX_PER_MM, 1)}mm`;
  };
  updateComponent(editor, id, name, (draft) => {
    if (draft.type === "qrcode" && width !== undefined)
      draft.size = format(width, draft.size);
    if (draft.type !== "image") return;
    if (width !== undefined) draft.width = format(width, draft.width);
    // A height in percent has nothing to be a part of.
    if (height !== undefined) draft.height = format(height, undefined);
  });
}

interface Size {
  width?: number;
  height?: number;
}

interface Column {
  width?: string | undefined;
}

/** The columns whose widths are kept, at least `count` of a table. */
function getColumns(component: Entry["component"], count: number): Column[] {
  if (component.type === "table") {
    const columns = (component.columns ??= []);
    while (columns.length < count) columns.push({});
    return columns;
  }
  if (component.type !== "columns" && component.type !== "section") return [];
  return component.components.flatMap((child) =>
    child.type === "column" ? [child] : [],
  );
}

function isAbsolute(width: string | undefined): boolean {
  return width !== undefined && /(?:mm|cm|in|pt|px)$/.test(width);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
