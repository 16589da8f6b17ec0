import { useMemo } from "preact/hooks";
import type {
  Component,
  ComponentOf,
} from "../../../../../../../core/plugin-api/definition.js";
import { listKey } from "../../model/tree.js";
import { ListView } from "../list-view.js";
import { useLook } from "../look.js";
import { alignAt, innerPlace, type Place } from "../place.js";
import { TextContent } from "../text-content.js";
import { CellsView } from "../cells-view.js";
import type { ViewProps } from "./view-props.js";

type Table = ComponentOf<"table">;

export function TableView({ component, place }: ViewProps<"table">) {
  const { components, columns } = component;
  const look = useLook(component, place);
  const { mail } = place;
  const inside = useMemo(
    (): Place => ({
      around: "table",
      ...(columns && { columns }),
      ...(mail && { mail: "html" }),
    }),
    [columns, mail],
  );
  const firstOfBody = components.findIndex((row) => !isHeaderRow(row));
  const headers = firstOfBody < 0 ? components.length : firstOfBody;
  const body = components.slice(headers);
  return (
    <table {...look} data-list={listKey(component.id ?? "", "components")}>
      <ColumnWidths columns={columns} />
      {headers > 0 && (
        <thead>
          <ListView components={components.slice(0, headers)} place={inside} />
        </thead>
      )}
      <tbody>
        <ListView
          components={body}
          place={inside}
          hint={headers > 0 ? null : "Empty: add a row"}
        />
      </tbody>
    </table>
  );
}

/** The rows at the top that are printed again on every page. */
function isHeaderRow(row: Component): boolean {
  if (row.type === "fragment")
    return row.components.length > 0 && row.components.every(isHeaderRow);
  return row.type === "table-row" && row.header === true;
}

function ColumnWidths({ columns = [] }: Pick<Table, "columns">) {
  if (columns.every(({ width }) => width === undefined)) return null;
  return (
    <colgroup>
      {columns.map(({ width }, index) => (
        <col key={index} style={width === undefined ? {} : { width }} />
      ))}
    </colgroup>
  );
}

export function TableRowView({ component, place }: ViewProps<"table-row">) {
  const look = useLook(component, place);
  const { columns, mail } = place;
  const isHeader = component.header === true;
  return (
    <tr {...look} data-list={listKey(component.id ?? "", "components")}>
      <CellsView
        components={component.components}
        place={{
          around: "row",
          isHeader,
          ...(columns && { columns }),
          ...(mail && { mail }),
        }}
      />
    </tr>
  );
}

export function TableCellView({ component, place }: ViewProps<"table-cell">) {
  const { text, components, colspan, rowspan } = component;
  const align = component.align ?? alignAt(place);
  const look = useLook(component, place, {
    classes: [align !== "left" && align],
  });
  const id = component.id ?? "";
  const Cell = place.isHeader ? "th" : "td";
  return (
    <Cell
      {...look}
      {...(colspan && { colSpan: colspan })}
      {...(rowspan && { rowSpan: rowspan })}
      data-list={listKey(id, "components")}
    >
      <TextContent id={id} text={text} />
      {place.isHeader && !text && !components?.length && (
        <span class="hidden-text">Empty</span>
      )}
      <ListView components={components} place={innerPlace(place)} hint={null} />
    </Cell>
  );
}
