import type { Place } from "./piece-places.js";

/** How far the atoms of a piece may begin below the top of a page and still be its first, in CSS px. */
export interface Heads {
  /** The number of the piece's first atom. */
  from: number;
  /** Of each atom: height of the table head that is printed above it when it begins a page. */
  heads: readonly number[];
  /** Of each atom: its upper margin. */
  margins: readonly number[];
}

/** A piece ends with a full page, and the next begins with the atom that begins the page after it. */
export interface Cut {
  /** How many of its pages belong to the document, with those that come before. */
  end: number;
  next: number;
  /** Whether that atom begins its page without its upper margin, as it does unless a page break stands before it. */
  isFlush: boolean;
}

const TOLERANCE_PX = 1.5;

/** The last place at which a piece may be cut; null when no page but its first begins with an atom. */
export function chooseCut(places: readonly Place[], heads: Heads): Cut | null {
  const firsts = new Map<number, Place>();
  for (const place of places)
    if (!firsts.has(place.page)) firsts.set(place.page, place);
  const candidates = [...firsts.values()].toSorted((a, b) => b.page - a.page);
  for (const { atom, page, topPx } of candidates) {
    if (atom === heads.from) continue;
    const index = atom - heads.from;
    const head = heads.heads[index] ?? 0;
    const margin = heads.margins[index] ?? 0;
    const isFlush = isNear(topPx, head);
    if (isFlush || isNear(topPx, margin))
      return { end: page, next: atom, isFlush };
  }
  return null;
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE_PX;
}
