import { PDFArray, type PDFDict, PDFName, type PDFPage } from "@cantoo/pdf-lib";

/** Parts of a page's width and height, 0 to 1, from its top left corner as a reader shows it. */
export interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

const RECT = PDFName.of("Rect");

/** Where an annotation stands on its page, however that is cropped and turned; null when it has no rectangle. */
export function placeOnPage(page: PDFPage, annotation: PDFDict): Place | null {
  const rectangle = annotation.lookupMaybe(RECT, PDFArray)?.asRectangle();
  if (!rectangle) return null;
  const { x, y, width, height } = rectangle;
  const corners = [
    [x, y],
    [x + width, y + height],
  ] as const;
  const [one, other] = corners.map(([across, up]) => shown(page, across, up));
  return one && other ? between(one, other) : null;
}

/** The smallest place that holds both. */
export function joinPlaces(one: Place, other: Place): Place {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const right = Math.max(one.x + one.w, other.x + other.w);
  const bottom = Math.max(one.y + one.h, other.y + other.h);
  return { x, y, w: rounded(right - x), h: rounded(bottom - y) };
}

type Point = readonly [right: number, down: number];

/** A point of the page's own space, which begins at its lower left corner, as the reader shows it. */
function shown(page: PDFPage, across: number, up: number): Point {
  const { x, y, width, height } = page.getCropBox();
  const [u, v] = [(across - x) / width, (up - y) / height];
  const turn = ((page.getRotation().angle % 360) + 360) % 360;
  if (turn === 90) return [v, u];
  if (turn === 180) return [1 - u, v];
  if (turn === 270) return [1 - v, 1 - u];
  return [u, 1 - v];
}

function between([a, b]: Point, [c, d]: Point): Place {
  const [left, right] = [inside(Math.min(a, c)), inside(Math.max(a, c))];
  const [top, bottom] = [inside(Math.min(b, d)), inside(Math.max(b, d))];
  return {
    x: rounded(left),
    y: rounded(top),
    w: rounded(right - left),
    h: rounded(bottom - top),
  };
}

function inside(part: number): number {
  return Math.min(1, Math.max(0, part));
}

/** To a hundredth of a point of any paper that is printed. */
function rounded(part: number): number {
  return Math.round(part * 1e6) / 1e6;
}
