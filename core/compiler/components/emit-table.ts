import type {
  Component,
  ComponentOf,
} from "../../definition/schema/component-schema.js";
import { emitAttributes, emitText } from "./emit-text.js";
import type { Align, EmitContext } from "./emit-context.js";

type Table = ComponentOf<"table">;

/** The header rows at the top become the `thead`, which is repeated on every page. */
export function emitTable(component: Table, context: EmitContext): string {
  const inside = context.within({
    table: {
      aligns: component.columns?.map(({ align }) => align) ?? [],
      isHeader: false,
      isRow: false,
    },
  });
  const rows = component.components;
  const firstBodyRow = rows.findIndex((row) => !isHeaderRow(row));
  const headers = firstBodyRow < 0 ? rows.length : firstBodyRow;
  const drawn = rows.map((_row, index) => inside.child(rows, index));
  const head = drawn.slice(0, headers).join("");
  const body = drawn.slice(headers).join("");
  return (
    `<table${emitAttributes(component, context)}>${columnWidths(component)}` +
    (head === "" ? "" : `<thead>${head}</thead>`) +
    `<tbody>${body}</tbody></table>`
  );
}

function isHeaderRow(row: Component): boolean {
  if (row.type === "fragment")
    return row.components.length > 0 && row.components.every(isHeaderRow);
  return row.type === "table-row" && row.header === true;
}

function columnWidths({ columns = [] }: Table): string {
  if (columns.every(({ width }) => width === undefined)) return "";
  const list = columns.map(({ width }) =>
    width === undefined ? "<col/>" : `<col style="width:${width}"/>`,
  );
  return `<colgroup>${list.join("")}</colgroup>`;
}

export function emitTableRow(
  component: ComponentOf<"table-row">,
  context: EmitContext,
): string {
  const table = {
    aligns: context.table?.aligns ?? [],
    isHeader: component.header === true,
    isRow: true,
  };
  const cells = emitCells(component.components, context.within({ table }));
  return `<tr${emitAttributes(component, context)}>${cells}</tr>`;
}

/** Emits each cell with the alignment of its column; a cell with a colspan shifts those after it. */
export function emitCells(
  cells: readonly Component[],
  context: EmitContext,
): string {
  const { table } = context;
  let column = 0;
  return cells
    .map((cell, index) => {
      const aligns = table?.aligns.slice(column) ?? [];
      column += countColumns(cell);
      const inside = context.within({ table: table && { ...table, aligns } });
      return inside.child(cells, index);
    })
    .join("");
}

/** The number of columns of a cell, or of all cells of a fragment. */
function countColumns(cell: Component): number {
  if (cell.type === "fragment")
    return cell.components.reduce((sum, one) => sum + countColumns(one), 0);
  return (cell.type === "table-cell" && cell.colspan) || 1;
}

export function emitTableCell(
  component: ComponentOf<"table-cell">,
  context: EmitContext,
): string {
  const name = context.table?.isHeader ? "th" : "td";
  const align = component.align ?? context.table?.aligns[0];
  const content =
    emitText(component.text, context) + context.children(component.components);
  return (
    `<${name}${span("colspan", component.colspan)}${span("rowspan", component.rowspan)}` +
    `${emitAttributes(component, context, { classes: [alignClass(align)] })}>${content}</${name}>`
  );
}

function span(name: string, count: number | undefined): string {
  return count === undefined || count === 1 ? "" : ` ${name}="${count}"`;
}

function alignClass(align: Align | undefined): string | undefined {
  return align === undefined || align === "left" ? undefined : align;
}
