import { toPx } from "../definition/page/paper.js";
import type { Component } from "../definition/schema/component-schema.js";
import type { Direction } from "./markup.js";

const END: Position = { share: 1, px: 0 };

interface Row {
  gap?: string | undefined;
  components: readonly Component[];
}

/**
 * Computes the positions of columns by the rules of their CSS; null when only a browser can. The first column is on the
 * right for right-to-left text.
 */
export function columnExtents(
  row: Row,
  around: Extent,
  direction: Direction = "ltr",
): Extent[] | null {
  const gap = toPx(cssGap(row.gap));
  if (gap === null) return null;
  const given = row.components.map((column) =>
    column.type === "column" ? parseWidth(column.width, gap) : null,
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

/** `auto` columns share the remaining space. */
function parseWidth(
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

export const DEFAULT_GAP = "24px";

/** A gap for `calc()`, which accepts no length without a unit. */
export function cssGap(gap: string | undefined): string {
  return gap === "0" ? "0px" : (gap ?? DEFAULT_GAP);
}

/** A position on a line of unknown length: a share of the length plus px. */
interface Position {
  share: number;
  px: number;
}

/** The horizontal extent of something in a header or footer. */
export interface Extent {
  left: Position;
  right: Position;
}

export const WHOLE: Extent = {
  left: { share: 0, px: 0 },
  right: { share: 1, px: 0 },
};

export function inset(extent: Extent, left: number, right: number): Extent {
  return {
    left: { ...extent.left, px: extent.left.px + left },
    right: { ...extent.right, px: extent.right.px - right },
  };
}

/** Converts a position to px for a line of this length. */
export function resolve({ share, px }: Position, length: number): number {
  return share * length + px;
}

/** The part of an extent between two positions inside it. */
function part(extent: Extent, from: Position, to: Position): Extent {
  const width = minus(extent.right, extent.left);
  const at = (position: Position) => ({
    share: extent.left.share + position.share * width.share,
    px: extent.left.px + position.share * width.px + position.px,
  });
  return { left: at(from), right: at(to) };
}

function plus(a: Position, b: Position): Position {
  return { share: a.share + b.share, px: a.px + b.px };
}

function minus(a: Position, b: Position): Position {
  return { share: a.share - b.share, px: a.px - b.px };
}

function times(a: Position, factor: number): Position {
  return { share: a.share * factor, px: a.px * factor };
}
