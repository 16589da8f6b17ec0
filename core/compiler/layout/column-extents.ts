import type { Component } from "../../definition/schema/component-schema.js";
import type { Direction } from "../page/text-direction.js";
import { cssGap } from "./column-gap.js";
import { toPx } from "../../definition/page/lengths.js";
import {
  minus,
  part,
  plus,
  times,
  type Extent,
  type Position,
} from "./extent.js";

const END: Position = { share: 1, px: 0 };

interface Row {
  gap?: string | undefined;
  components: readonly Component[];
}

/**
 * Where the columns of a row stand, by the same rules as their CSS; null when only a browser can tell.
 * The first stands at the right where text runs from there.
 */
export function columnExtents(
  row: Row,
  around: Extent,
  direction: Direction = "ltr",
): Extent[] | null {
  const gap = toPx(cssGap(row.gap));
  if (gap === null) return null;
  const given = row.components.map((column) =>
    column.type === "column" ? widthOf(column.width, gap) : null,
  );
  if (given.includes(null)) return null;
  const widths = given.filter((width) => width !== null);
  const extents = placed(shared(widths, gap), gap);
  return extents.map(({ left, right }) =>
    direction === "ltr"
      ? part(around, left, right)
      : part(around, minus(END, right), minus(END, left)),
  );
}

/** `auto` shares what the others leave. */
function widthOf(
  width: string | undefined,
  gap: number,
): Position | "auto" | null {
  if (width === undefined) return "auto";
  const px = toPx(width);
  if (px !== null) return { share: 0, px };
  if (!width.endsWith("%")) return null;
  const share = Number.parseFloat(width) / 100;
  return { share, px: -gap * (1 - share) };
}

function shared(
  widths: readonly (Position | "auto")[],
  gap: number,
): Position[] {
  const fixed = widths.filter((width) => width !== "auto");
  const gaps = { share: 0, px: gap * (widths.length - 1) };
  const taken = fixed.reduce(plus, gaps);
  const rest = minus({ share: 1, px: 0 }, taken);
  const each = times(rest, 1 / Math.max(1, widths.length - fixed.length));
  return widths.map((width) => (width === "auto" ? each : width));
}

function placed(widths: readonly Position[], gap: number): Extent[] {
  let at: Position = { share: 0, px: 0 };
  return widths.map((width) => {
    const extent = { left: at, right: plus(at, width) };
    at = plus(extent.right, { share: 0, px: gap });
    return extent;
  });
}
