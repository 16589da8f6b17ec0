import { useMemo } from "preact/hooks";
import type {
  Component,
  ComponentOf,
} from "../../../../../core/plugin-api/definition.js";
import { useCanvas } from "../canvas-state.js";
import { TextContent } from "./content-views.js";
import {
  FragmentNote,
  ComponentList,
  FullWidthCell,
  useDraw,
} from "./component-list.js";
import {
  useElementProps,
  useListProps,
  type Declarations,
  innerPlace,
  type ViewProps,
  type Place,
  alignAt,
} from "./element-props.js";
import { t } from "../../../messages/index.js";

/** Has no box: its children are laid out in its place. */
export function FragmentView({ component, place }: ViewProps<"fragment">) {
  const {
    class: _none,
    style: _no,
    ...elementProps
  } = useElementProps(component, place);
  return (
    <div {...elementProps} class="fragment" {...useListProps(component)}>
      <FragmentNote elementProps={elementProps} place={place} />
      <ComponentList
        components={component.components}
        place={place}
        hint={t("canvas.emptyGroup")}
      />
    </div>
  );
}

export function ContainerView({ component, place }: ViewProps<"container">) {
  const elementProps = useElementProps(component, place);
  // An empty box with a style is used as a line or a colored area, so it gets no hint.
  const isDrawing =
    elementProps.class !== undefined || elementProps.style !== undefined;
  return (
    <div {...elementProps} {...useListProps(component)}>
      <ComponentList
        components={component.components}
        place={innerPlace(place)}
        hint={isDrawing ? null : t("canvas.emptyBox")}
      />
    </div>
  );
}

export function DividerView({ component, place }: ViewProps<"divider">) {
  const { role: _role, ...elementProps } = useElementProps(component, place);
  return <hr {...elementProps} />;
}

export function SpacerView({ component, place }: ViewProps<"spacer">) {
  const { height } = component;
  return <div {...useElementProps(component, place, { style: { height } })} />;
}

export function PageBreakView({ component, place }: ViewProps<"page-break">) {
  return (
    <div {...useElementProps(component, place, { classes: ["page-break"] })}>
      <span class="page-break-words">
        <span>{t("canvas.newPage")}</span>
      </span>
    </div>
  );
}

export function ColumnsView({ component, place }: ViewProps<"columns">) {
  const { components, gap } = component;
  const { columnGap } = useCanvas().editor.design.defaults;
  const given = gap === "0" ? "0px" : gap;
  const repeats = components.some((child) => child.collection);
  const elementProps = useElementProps(component, place, {
    classes: ["columns", repeats && "wrap"],
    // In documents the default gap is in the style sheet, so that a named style can override it.
    style:
      place.email || given !== undefined ? { gap: given ?? columnGap } : {},
  });
  const inside = useMemo(
    (): Place => ({
      ...innerPlace(place),
      around: "columns",
      gap: given ?? columnGap,
    }),
    [place.email, given, columnGap],
  );
  return (
    <div {...elementProps} {...useListProps(component)}>
      <ComponentList
        components={components}
        place={inside}
        hint={t("canvas.noColumns")}
      />
    </div>
  );
}

export function ColumnView({ component, place }: ViewProps<"column">) {
  const elementProps = useElementProps(component, place, {
    classes: ["column"],
    style: widthStyle(component.width, place.gap ?? "0px"),
  });
  return (
    <div {...elementProps} {...useListProps(component)}>
      <ComponentList
        components={component.components}
        place={innerPlace(place)}
        hint={component.width === undefined ? t("canvas.emptyColumn") : ""}
      />
    </div>
  );
}

/** Percentages are of the row without its gaps, as in print. */
function widthStyle(width: string | undefined, gap: string): Declarations {
  if (width === undefined) return {};
  const percent = /^([\d.]+)%$/.exec(width)?.[1];
  if (percent === undefined) return { flex: `0 0 ${width}` };
  const share = (100 - Number(percent)) / 100;
  return { flex: `0 0 calc(${width} - ${share} * ${gap})` };
}

const IN_LIST: Place = { around: "list" };
const IN_EMAIL_LIST: Place = { around: "list", email: "html" };

export function ListView({ component, place }: ViewProps<"list">) {
  const elementProps = useElementProps(component, place);
  const list = useListProps(component);
  const inside = place.email ? IN_EMAIL_LIST : IN_LIST;
  const items = (
    <ComponentList
      components={component.components}
      place={inside}
      hint={t("canvas.emptyList")}
    />
  );
  return component.ordered ? (
    <ol {...elementProps} {...list}>
      {items}
    </ol>
  ) : (
    <ul {...elementProps} {...list}>
      {items}
    </ul>
  );
}

export function ListItemView({ component, place }: ViewProps<"list-item">) {
  const elementProps = useElementProps(component, place);
  const id = component.id ?? "";
  return (
    <li {...elementProps} {...useListProps(component)}>
      <TextContent
        id={id}
        text={component.text}
        {...(!component.components?.length && {
          placeholder: t("components.point"),
        })}
      />
      <ComponentList
        components={component.components}
        place={innerPlace(place)}
        hint={null}
      />
    </li>
  );
}

type Table = ComponentOf<"table">;

export function TableView({ component, place }: ViewProps<"table">) {
  const { components, columns } = component;
  const elementProps = useElementProps(component, place);
  const { email } = place;
  const inside = useMemo(
    (): Place => ({
      around: "table",
      ...(columns && { columns }),
      ...(email && { email: "html" }),
    }),
    [columns, email],
  );
  const firstOfBody = components.findIndex((row) => !isHeaderRow(row));
  const headers = firstOfBody < 0 ? components.length : firstOfBody;
  const body = components.slice(headers);
  return (
    <table {...elementProps} {...useListProps(component)}>
      <ColumnWidths columns={columns} />
      {headers > 0 && (
        <thead>
          <ComponentList
            components={components.slice(0, headers)}
            place={inside}
          />
        </thead>
      )}
      <tbody>
        <ComponentList
          components={body}
          place={inside}
          hint={headers > 0 ? null : t("canvas.emptyAddRow")}
        />
      </tbody>
    </table>
  );
}

/** Whether a row is repeated at the top of every page. */
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
  const elementProps = useElementProps(component, place);
  const { columns, email } = place;
  const isHeader = component.header === true;
  return (
    <tr {...elementProps} {...useListProps(component)}>
      <CellList
        components={component.components}
        place={{
          around: "row",
          isHeader,
          ...(columns && { columns }),
          ...(email && { email }),
        }}
      />
    </tr>
  );
}

export function TableCellView({ component, place }: ViewProps<"table-cell">) {
  const { text, components, colspan, rowspan } = component;
  const align = component.align ?? alignAt(place);
  const elementProps = useElementProps(component, place, {
    classes: [align !== "left" && align],
  });
  const id = component.id ?? "";
  const Cell = place.isHeader ? "th" : "td";
  return (
    <Cell
      {...elementProps}
      {...(colspan && { colSpan: colspan })}
      {...(rowspan && { rowSpan: rowspan })}
      {...useListProps(component)}
    >
      <TextContent id={id} text={text} />
      {place.isHeader && !text && !components?.length && (
        <span class="hidden-text">{t("canvas.empty")}</span>
      )}
      <ComponentList
        components={components}
        place={innerPlace(place)}
        hint={null}
      />
    </Cell>
  );
}

interface CellsViewProps {
  components: readonly Component[];
  place: Place;
}

/** The cells of a row, each with the index of its first column. */
function CellList({ components, place }: CellsViewProps) {
  const Draw = useDraw();
  if (components.length === 0)
    return (
      <FullWidthCell place={place}>
        <div class="empty-list">{t("canvas.emptyAddCell")}</div>
      </FullWidthCell>
    );
  let column = place.column ?? 0;
  return (
    <>
      {components.map((cell) => {
        const begins = column;
        column += columnsOf(cell);
        return (
          <Draw
            key={cell.id}
            component={cell}
            place={{ ...place, column: begins }}
          />
        );
      })}
    </>
  );
}

/** The number of columns that a cell or a group of cells spans. */
function columnsOf(cell: Component): number {
  if (cell.type === "fragment")
    return cell.components.reduce((sum, child) => sum + columnsOf(child), 0);
  return (cell.type === "table-cell" && cell.colspan) || 1;
}
