import type { Component, ComponentOf } from "../schema/component-schema.js";

// The rules by which the compiler and the canvas of the studio lay out columns and emails. The studio's pages load this
// file, so it imports types alone.

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
  direction: "ltr" | "rtl" = "ltr",
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

const PX_PER_UNIT: ReadonlyMap<string, number> = new Map([
  ["px", 1],
  ["pt", 96 / 72],
  ["in", 96],
  ["cm", 96 / 2.54],
  ["mm", 96 / 25.4],
]);

/** Converts a length on paper to CSS px, 96 per inch; null for relative or invalid lengths. */
export function toPx(length = ""): number | null {
  if (length.trim() === "0") return 0;
  const [, number, unit = ""] = /^\s*(-?[\d.]+)([a-z]+)\s*$/.exec(length) ?? [];
  const factor = PX_PER_UNIT.get(unit);
  return factor === undefined ? null : Number(number) * factor;
}

/** The width that a box leaves for its content, between its borders and padding at the sides. @param style CSS, or attributes of MJML */
export function innerWidth(
  width: number,
  style: Readonly<Record<string, string | undefined>>,
): number {
  const { padding = "", border } = style;
  const [top = "0", right = top, , left = right] = padding.split(" ");
  const borders = ["border-left", "border-right"].map(
    (name) => (style[name] ?? border ?? "").split(" ", 1)[0],
  );
  const sides = [
    style["padding-left"] ?? left,
    style["padding-right"] ?? right,
    ...borders,
  ];
  return sides.reduce((rest, side) => rest - (toPx(side) ?? 0), width);
}

/** The share of each column in a row of `width` px, in percent; columns without a width share the remaining space. */
export function columnShares(
  columns: readonly Component[],
  width: number,
): number[] {
  const extents = columnExtents({ gap: "0", components: columns }, WHOLE);
  return columns.map((_column, index) => {
    const extent = extents?.[index];
    if (extent === undefined) return 100 / columns.length;
    const px = resolve(extent.right, width) - resolve(extent.left, width);
    return Number(((px / width) * 100).toFixed(3));
  });
}

/** The gap between columns in a row of `width` px, in whole px as mail programs need it. */
export function gapPx(gap: string = DEFAULT_GAP, width: number): number {
  const percent = /^([\d.]+)%$/.exec(gap)?.[1];
  const px =
    percent === undefined ? toPx(gap) : (width * Number(percent)) / 100;
  return Math.round(px ?? DEFAULT_PX);
}

const DEFAULT_PX = 24;

type Declarations = Readonly<Record<string, string>>;

/** The padding of content depending on the position of its column, in px. */
export interface Inset {
  sides: number;
  bottom: number;
  /** Half of the gap; undefined when columns have the same padding on all sides. */
  between?: number | undefined;
}

export function formatInset(
  { sides, bottom, between = sides }: Inset,
  isFirst: boolean,
  isLast: boolean,
): string {
  const [left, right] = [isFirst ? sides : between, isLast ? sides : between];
  if (left !== right) return `0 ${right}px ${bottom}px ${left}px`;
  return left === 0 && bottom === 0 ? "0" : `0 ${left}px ${bottom}px`;
}

/** @param usual the padding in rows without a padding of their own */
export function rowInset(
  row: ComponentOf<"section"> | ComponentOf<"columns">,
  style: Declarations,
  width: number,
  usual: Inset,
): Inset {
  return {
    ...(hasPadding(style) ? { sides: 0, bottom: 0 } : usual),
    between: row.type === "columns" ? gapPx(row.gap, width) / 2 : undefined,
  };
}

export function hasPadding(style: Declarations): boolean {
  return Object.keys(style).some((property) => property.startsWith("padding"));
}

/** The alignment that margins of `auto` mean; undefined for other margins. */
export function getAlign(style: Declarations): "center" | "right" | undefined {
  const [top = "", right = top, , left = right] = (style["margin"] ?? "").split(
    " ",
  );
  if ((style["margin-left"] ?? left) !== "auto") return undefined;
  return (style["margin-right"] ?? right) === "auto" ? "center" : "right";
}

const ELEMENT_ROW = {
  margin: "padding",
  "margin-top": "padding-top",
  "margin-bottom": "padding-bottom",
  "text-align": "align",
} as const;

/** The MJML attributes for the row around the content of an email, by the CSS property of the content. */
export const ROW_ATTRIBUTES = {
  text: {
    padding: "padding",
    "padding-top": "padding-top",
    "padding-right": "padding-right",
    "padding-bottom": "padding-bottom",
    "padding-left": "padding-left",
    "background-color": "container-background-color",
  },
  image: { ...ELEMENT_ROW, padding: "padding" },
  button: ELEMENT_ROW,
  divider: { margin: "padding", padding: "padding" },
  social: {
    padding: "padding",
    "text-align": "align",
    "background-color": "container-background-color",
  },
} as const;
