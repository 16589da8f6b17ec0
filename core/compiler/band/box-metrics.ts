import type { Declarations } from "../style/named-styles.js";
import { toPx } from "../../definition/page/lengths.js";
import type { Sides } from "../../definition/page/paper.js";

/** Inherited by the text inside a box. */
const TEXT =
  /^(color|font(-.+)?|letter-spacing|line-height|text-align|text-transform|word-spacing)$/;
/** Drawn, without moving anything. */
const PAINT =
  /^(background(-color)?|border(-(top|right|bottom|left))?-(color|style)|border(-.+)?-radius)$/;
const SIDES = ["top", "right", "bottom", "left"] as const;

export interface BoxMetrics {
  /** Margin, border and padding of each side together, in CSS px. */
  room: Sides;
  /** What the text inside inherits. */
  text: Declarations;
}

/** How much a style takes off a box on each side; null when only a browser can tell. */
export function boxMetrics(
  style: Declarations,
  defaults: Declarations = {},
): BoxMetrics | null {
  const room = { top: 0, right: 0, bottom: 0, left: 0 };
  const sides = new Map<string, number>();
  const text: Declarations = {};
  for (const [property, value] of Object.entries({ ...defaults, ...style })) {
    if (TEXT.test(property)) Object.assign(text, { [property]: value });
    else if (PAINT.test(property)) continue;
    else if (!addSides(property, value, sides)) return null;
  }
  for (const [name, length] of sides) {
    const side = SIDES.find((one) => name.endsWith(one));
    if (side) room[side] += length;
  }
  return { room, text };
}

/** Later declarations win, as in CSS: a side is kept under the property's long name. */
function addSides(
  property: string,
  value: string,
  sides: Map<string, number>,
): boolean {
  const [, kind = "", side] =
    /^(margin|padding|border)(?:-(top|right|bottom|left))?(?:-width)?$/.exec(
      property,
    ) ?? [];
  if (kind === "") return false;
  const lengths = kind === "border" ? borderLengths(value) : boxLengths(value);
  if (lengths === null || (side !== undefined && lengths.length !== 1))
    return false;
  for (const [index, name] of SIDES.entries())
    if (side === undefined || side === name)
      sides.set(`${kind}-${name}`, ofSide(lengths, index));
  return true;
}

/** `1px 2px` and the like. */
function boxLengths(value: string): number[] | null {
  const lengths = value.trim().split(/\s+/).map(toPx);
  const known = lengths.filter((length) => length !== null);
  return known.length === lengths.length && known.length <= 4 ? known : null;
}

/** The width in `1px solid #ccc`; without one, no border is drawn unless it has a style. */
function borderLengths(value: string): number[] | null {
  const words = value.trim().split(/\s+/);
  if (words.some((word) => word === "none" || word === "0")) return [0];
  const width = words.map(toPx).find((length) => length !== null);
  return width === undefined ? null : [width];
}

/** Of one to four lengths, that of a side: top, right, bottom, left. */
function ofSide(lengths: readonly number[], side: number): number {
  const [top = 0, right = top, bottom = top, left = right] = lengths;
  return [top, right, bottom, left][side] ?? 0;
}
