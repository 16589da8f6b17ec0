import type { PageBox } from "../../jobs.js";
import { firstDrawing } from "../../print/pdf-facts.js";

/** Chromium prints 300 dots to the inch, and CSS has 96 px. */
const DOTS = 300 / 96;
/** What stands between the box that a page's body is clipped to and the matrix that gives the body its scale. */
const CLIP = " re\nW* n\nq\n";
const MATRIX = " cm\n";

/**
 * The scale at which a document was printed: below 1 when Chromium made it smaller to get it onto its pages. It is
 * read from the PDF, which costs next to nothing. Null when the PDF is not written as expected.
 */
export function readShrink(pdf: Buffer, page: PageBox): number | null {
  const drawing = firstDrawing(pdf);
  for (
    let at = drawing.indexOf(CLIP);
    at >= 0;
    at = drawing.indexOf(CLIP, at + CLIP.length)
  ) {
    const clip = drawing.slice(drawing.lastIndexOf("\n", at) + 1, at);
    const start = at + CLIP.length;
    const matrix = drawing.slice(start, drawing.indexOf(MATRIX, start));
    const scale = bodyScale(clip.split(" "), matrix.split(" "), page);
    if (scale !== null) return scale;
  }
  return null;
}

/** Null when it is not the body that is clipped, but the art of a header, a picture or the like. */
function bodyScale(
  [x, y, width, height]: string[],
  [scaleX, , , scaleY, toX, toY]: string[],
  { widthPx, heightPx, margin }: PageBox,
): number | null {
  const isBody =
    isNear(Number(width) / DOTS, widthPx - margin.left - margin.right) &&
    isNear(Number(height) / DOTS, heightPx - margin.top - margin.bottom) &&
    x === toX &&
    y === toY &&
    scaleX === scaleY;
  return isBody ? Number(scaleX) / DOTS : null;
}

/** Chromium rounds margins to whole px. */
function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1;
}
