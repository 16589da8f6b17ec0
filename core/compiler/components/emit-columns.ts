import type { ComponentOf } from "../../definition/schema/component-schema.js";
import type { Declarations } from "../styles.js";
import { cssGap, columnExtents, resolve, WHOLE } from "../column-layout.js";
import { emitAttributes } from "./emit-text.js";
import type { EmitContext } from "./emit-context.js";

export function emitColumns(
  component: ComponentOf<"columns">,
  context: EmitContext,
): string {
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
}

/** Widths in px, as precise as possible without a browser. */
function columnWidths(row: ComponentOf<"columns">, width: number): number[] {
  const extents = columnExtents(row, WHOLE);
  return row.components.map((_column, index) => {
    const extent = extents?.[index];
    return extent === undefined
      ? width / row.components.length
      : resolve(extent.right, width) - resolve(extent.left, width);
  });
}

export function emitColumn(
  component: ComponentOf<"column">,
  context: EmitContext,
): string {
  return `<div${emitAttributes(component, context, {
    classes: ["column", isFixed(component.width) && "fixed"],
    style: widthStyle(component.width, context.gap),
  })}>${context.children(component.components)}</div>`;
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
