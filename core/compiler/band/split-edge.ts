import type { CompiledSpot } from "./band-program.js";
import { resolve } from "../layout/extent.js";

type Spot = CompiledSpot;

/** One margin box of an edge: from where to where it reaches, in px of the edge, and the text that it prints. */
export interface EdgeBox {
  name: "left" | "center" | "right";
  from: number;
  to: number;
  spot: PlacedSpot | null;
}

export interface PlacedSpot {
  spot: Spot;
  left: number;
  right: number;
}

/** Shares an edge between its texts: an edge has three boxes at most. Null when they cannot be shared so. */
export function splitEdge(
  spots: readonly Spot[],
  width: number,
): EdgeBox[] | null {
  const [a, b, c, ...more] = spots
    .map((spot) => place(spot, width))
    .toSorted((one, other) => one.left - other.left);
  if (more.length > 0) return null;
  if (!a || !b)
    return [{ name: "center", from: 0, to: width, spot: a ?? null }];
  return c ? thirds(a, b, c, width) : halves(a, b, width);
}

function place(spot: Spot, width: number): PlacedSpot {
  const { left, right } = spot.extent;
  return { spot, left: resolve(left, width), right: resolve(right, width) };
}

function halves(a: PlacedSpot, b: PlacedSpot, width: number): EdgeBox[] | null {
  if (a.right > b.left) return null;
  const middle = (a.right + b.left) / 2;
  return [
    { name: "left", from: 0, to: middle, spot: a },
    { name: "right", from: middle, to: width, spot: b },
  ];
}

/** The middle box is always centered, so the outer ones are equally wide. */
function thirds(
  a: PlacedSpot,
  b: PlacedSpot,
  c: PlacedSpot,
  width: number,
): EdgeBox[] | null {
  const least = Math.max(a.right, width - c.left);
  const most = Math.min(b.left, width - b.right);
  if (least > most) return null;
  const outer = (least + most) / 2;
  return [
    { name: "left", from: 0, to: outer, spot: a },
    { name: "center", from: outer, to: width - outer, spot: b },
    { name: "right", from: width - outer, to: width, spot: c },
  ];
}
