import type { DesignSignField } from "../views.js";
import {
  escapeHtml,
  chargeMarkup,
  markdownToHtml,
  sanitizeMarkup,
  constantText,
  isConstantText,
} from "../../definition/expressions/index.js";
import type {
  ComponentOf,
  Component,
} from "../../definition/schema/component-schema.js";
import {
  cssGap,
  columnExtents,
  resolve,
  WHOLE,
} from "../../definition/page/layout.js";
import { escapeSource } from "../source.js";
import type { Declarations } from "../styles.js";
import {
  type EmitContext,
  type Emitters,
  registerImages,
  emitAttributes,
  emitText,
  hasMarkdown,
  type Align,
} from "./emit-context.js";

export const DEFAULT_FORMAT = "{page}";

// Markup of templates and data: merged first, then sanitized.

type Markup = ComponentOf<"markdown"> | ComponentOf<"html">;

function emitMarkup(
  component: Markup,
  context: EmitContext,
  harmless: (source: string) => string,
): string {
  const { path } = context;
  const source = context.compiled(component.value, "plain");
  const html = context.value((scope, run) => {
    const markup = harmless(chargeMarkup(source(scope), scope.context));
    if (IMAGE_WITHOUT_TEXT.test(markup)) run.reportImageWithoutText(path);
    return registerImages(markup, run.assets);
  });
  return `<div${emitAttributes(component, context, { classes: ["markdown"] })}>${html}</div>`;
}

const IMAGE_WITHOUT_TEXT = /<img\b(?![^>]* alt=)/;

type ImageComponent = ComponentOf<"image">;

/** Renders nothing for an empty source, so that a missing logo leaves no gap. */
export function whenShown(
  { src }: ImageComponent,
  context: EmitContext,
  element: string,
): string {
  if (isConstantText(src)) return constantText(src).trim() && element;
  const source = context.compiled(src, "plain");
  return context.whenTrue((scope) => source(scope).trim() !== "", element);
}

function emitImageElement(
  component: ImageComponent,
  context: EmitContext,
): string {
  const { width, height, fit, href, alt = "" } = component;
  const image = `<img src="${emitAddress(component, context)}" alt="${context.text(alt, "attribute")}"${emitAttributes(
    component,
    context,
    {
      style: {
        ...(width !== undefined && { width }),
        ...(height !== undefined && { height }),
        ...(fit !== undefined && { "object-fit": fit }),
      },
    },
  )}/>`;
  return href === undefined
    ? `<div class="image">${image}</div>`
    : `<div class="image"><a href="${context.text(href, "url")}">${image}</a></div>`;
}

/** Emits the `src` of an image. */
export function emitAddress(
  { src, alt }: ImageComponent,
  context: EmitContext,
): string {
  const { path } = context;
  const source = context.compiled(src, "plain");
  const words = context.compiled(alt ?? "", "plain");
  return context.value((scope, run) => {
    if (alt === undefined) run.reportImageWithoutText(path);
    const label = words(scope);
    return (
      run.assets.address(source(scope), label) ?? run.assets.placeholder(label)
    );
  });
}

type SignField = ComponentOf<"sign-field">;

/** The default sizes and captions; a null caption means the name of the field. */
export const SIGN_FIELD_BOXES: Readonly<
  Record<SignField["field"], DesignSignField>
> = {
  signature: { width: "64mm", height: "18mm", caption: "Signature" },
  initials: { width: "24mm", height: "14mm", caption: "Initials" },
  date: { width: "36mm", height: "9mm", caption: "Date" },
  text: { width: "64mm", height: "9mm", caption: null },
  checkbox: { width: "5mm", height: "5mm", caption: "" },
  select: { width: "48mm", height: "9mm", caption: null },
  number: { width: "36mm", height: "9mm", caption: null },
  image: { width: "40mm", height: "30mm", caption: null },
  stamp: { width: "40mm", height: "25mm", caption: null },
};

/** A percentage includes the gap to the next field: two of 50% fit beside each other. */
function signFieldWidth(width: string): string {
  return width.endsWith("%") ? `calc(${width} - var(--sign-gap,0pt))` : width;
}

/** Widths in px, as precise as possible without a browser. */
export function columnWidths(
  row: Pick<ComponentOf<"columns">, "gap" | "components">,
  width: number,
): number[] {
  const extents = columnExtents(row, WHOLE);
  return row.components.map((_column, index) => {
    const extent = extents?.[index];
    return extent === undefined
      ? width / row.components.length
      : resolve(extent.right, width) - resolve(extent.left, width);
  });
}

/** A fixed column keeps its width on a narrow screen, where others wrap. */
function isFixed(width: string | undefined): boolean {
  return width !== undefined && !width.endsWith("%");
}

/** Percentages include the gaps: 70% and 30% fill the row exactly, and so do three columns of 33.33%. */
function widthStyle(width: string | undefined, gap: string): Declarations {
  if (width === undefined) return {};
  const percent = /^([\d.]+)%$/.exec(width)?.[1];
  if (percent === undefined) return { flex: `0 0 ${width}` };
  const share = Number(((100 - Number(percent)) / 100).toFixed(6));
  return { flex: `0 0 calc(${width} - ${share} * ${gap})` };
}

type Table = ComponentOf<"table">;

function isHeaderRow(row: Component): boolean {
  if (row.type === "fragment")
    return row.components.length > 0 && row.components.every(isHeaderRow);
  return row.type === "table-row" && row.header === true;
}

function emitColgroup({ columns = [] }: Table): string {
  if (columns.every(({ width }) => width === undefined)) return "";
  const list = columns.map(({ width }) =>
    width === undefined ? "<col/>" : `<col style="width:${width}"/>`,
  );
  return `<colgroup>${list.join("")}</colgroup>`;
}

/** Whether a row was left empty, as in a form. Rows with styles may be rules or gaps of any height. */
function isBlankRow(row: ComponentOf<"table-row">): boolean {
  return (
    !isStyled(row) &&
    row.components.every(
      (cell) =>
        cell.type === "table-cell" &&
        !isStyled(cell) &&
        cell.text === "" &&
        (cell.components ?? []).length === 0,
    )
  );
}

function isStyled({ class: names, style }: Component): boolean {
  return names !== undefined || style?.["height"] !== undefined;
}

/** Emits each cell with the alignment of its column; a cell with a colspan shifts those after it. */
function emitCells(cells: readonly Component[], context: EmitContext): string {
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
    return cell.components.reduce((sum, child) => sum + countColumns(child), 0);
  return (cell.type === "table-cell" && cell.colspan) || 1;
}

function span(name: string, count: number | undefined): string {
  return count === undefined || count === 1 ? "" : ` ${name}="${count}"`;
}

function alignClass(align: Align | undefined): string | undefined {
  return align === undefined || align === "left" ? undefined : align;
}

/** How most components are written, by their type. */
export const BLOCK_EMITTERS: Emitters = {
  fragment(component, context) {
    const { components } = component;
    return context.table?.isRow
      ? emitCells(components, context)
      : context.children(components);
  },

  container(component, context) {
    return `<div${emitAttributes(component, context)}>${context.children(component.components)}</div>`;
  },

  heading(component, context) {
    const name = `h${component.level ?? 1}`;
    return `<${name}${emitAttributes(component, context)}>${emitText(component.text, context)}</${name}>`;
  },

  /** A paragraph, or a div when Markdown in it may contain paragraphs. */
  text(component, context) {
    if (hasMarkdown(component.text))
      return `<div${emitAttributes(component, context, { classes: ["markdown"] })}>${emitText(component.text, context)}</div>`;
    return `<p${emitAttributes(component, context)}>${emitText(component.text, context)}</p>`;
  },

  divider(component, context) {
    return `<hr${emitAttributes(component, context)}/>`;
  },

  spacer(component, context) {
    return `<div${emitAttributes(component, context, { style: { height: component.height } })}></div>`;
  },

  "page-break"(component, context) {
    return `<div${emitAttributes(component, context, { classes: ["page-break"] })}></div>`;
  },

  button(component, context) {
    const href = context.text(component.href, "url");
    return `<a href="${href}"${emitAttributes(component, context, { classes: ["button"] })}>${emitText(component.text, context)}</a>`;
  },

  list(component, context) {
    const name = component.ordered ? "ol" : "ul";
    return `<${name}${emitAttributes(component, context)}>${context.children(component.components)}</${name}>`;
  },

  "list-item"(component, context) {
    return `<li${emitAttributes(component, context)}>${emitText(component.text, context)}${context.children(component.components)}</li>`;
  },

  "page-number"(component, context) {
    const { page, pages } = context.numbers;
    const text = escapeSource(escapeHtml(component.format ?? DEFAULT_FORMAT))
      .replaceAll("{page}", page)
      .replaceAll("{pages}", pages);
    return `<p${emitAttributes(component, context)}>${text}</p>`;
  },

  markdown(component, context) {
    const { look } = context;
    return emitMarkup(component, context, (source) => {
      const { html } = markdownToHtml(source);
      return look.markdown?.(html) ?? html;
    });
  },

  html(component, context) {
    return emitMarkup(component, context, sanitizeMarkup);
  },

  image(component, context) {
    return whenShown(component, context, emitImageElement(component, context));
  },

  /**
   * Emits a box of a fixed size that is never split. For a document that goes to signing it is a link, whose rectangle in
   * the PDF marks the position of the signer's field.
   */
  "sign-field"(component, context) {
    const { field, name, required = false, options } = component;
    const { width, height, caption } = SIGN_FIELD_BOXES[field];
    const role = context.compiled(component.submitter, "plain");
    const label = context.compiled(name, "plain");
    const probe = context.value((scope, run) =>
      run.signing.add({
        name: label(scope),
        role: role(scope).trim(),
        type: field,
        required,
        ...(options && { options }),
      }),
    );
    const opening = emitAttributes(component, context, {
      classes: ["sign-field", `sign-${field}`],
      style: {
        width: signFieldWidth(component.width ?? width),
        height: component.height ?? height,
      },
    });
    const isConstant = caption !== null || isConstantText(name);
    const labelHtml = isConstant
      ? escapeSource(escapeHtml(caption ?? constantText(name)))
      : context.value((_scope, run) => escapeHtml(run.signing.latestName));
    return `<a${probe}${opening}><span>${labelHtml}</span></a>`;
  },

  columns(component, context) {
    const { components, gap } = component;
    const repeats = components.some((child) => child.collection);
    const opening = emitAttributes(component, context, {
      classes: ["columns", repeats && "wrap"],
      style: gap === undefined ? {} : { gap: cssGap(gap) },
    });
    const widths = columnWidths(component, context.width);
    const columns = components.map((_column, index) =>
      context
        .within({ gap: cssGap(gap), width: widths[index] ?? context.width })
        .child(components, index),
    );
    return `<div${opening}>${columns.join("")}</div>`;
  },

  column(component, context) {
    return `<div${emitAttributes(component, context, {
      classes: ["column", isFixed(component.width) && "fixed"],
      style: widthStyle(component.width, context.gap),
    })}>${context.children(component.components)}</div>`;
  },

  /** The header rows at the top become the `thead`, which is repeated on every page. */
  table(component, context) {
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
      `<table${emitAttributes(component, context)}>${emitColgroup(component)}` +
      (head === "" ? "" : `<thead>${head}</thead>`) +
      `<tbody>${body}</tbody></table>`
    );
  },

  "table-row"(component, context) {
    const table = {
      aligns: context.table?.aligns ?? [],
      isHeader: component.header === true,
      isRow: true,
      isBlank: isBlankRow(component),
    };
    const cells = emitCells(component.components, context.within({ table }));
    return `<tr${emitAttributes(component, context)}>${cells}</tr>`;
  },

  "table-cell"(component, context) {
    const name = context.table?.isHeader ? "th" : "td";
    const align = component.align ?? context.table?.aligns[0];
    const content =
      emitText(component.text, context) +
      context.children(component.components);
    // Otherwise, the row would have no height.
    const emptyLine = context.table?.isBlank ? "<br/>" : "";
    return (
      `<${name}${span("colspan", component.colspan)}${span("rowspan", component.rowspan)}` +
      `${emitAttributes(component, context, { classes: [alignClass(align)] })}>${content || emptyLine}</${name}>`
    );
  },
};
