import type { PageBox } from "../../jobs.js";
import { firstDrawing } from "../../print/pdf-facts.js";

/** Chromium prints 300 dots to the inch, and CSS has 96 px. */
const DOTS = 300 / 96;
/** What stands between the box that a page's body is clipped to and the matrix that gives the body its scale. */
const CLIP = " re\nW* n\nq\n";
const MATRIX = " cm\n";
/** More than six numbers take. */
const LINE = 150;

/** The body comes after the art of headers, footers and background, which most often is little. */
const PACKED_BYTES = [2 * 1024, 64 * 1024];

/**
 * The scale at which a document was printed: below 1 when Chromium made it smaller to get it onto its pages. It is
 * read from the PDF, which costs next to nothing. Null when the PDF is not written as expected.
 */
export function readShrink(pdf: Buffer, page: PageBox): number | null {
  for (const packedBytes of PACKED_BYTES) {
    const scale = findScale(firstDrawing(pdf, packedBytes), page);
    if (scale !== null) return scale;
  }
  return null;
}

function findScale(drawing: Buffer, page: PageBox): number | null {
  for (
    let at = drawing.indexOf(CLIP);
    at >= 0;
    at = drawing.indexOf(CLIP, at + CLIP.length)
  ) {
    const before = drawing.toString("latin1", Math.max(0, at - LINE), at);
    const start = at + CLIP.length;
    const after = drawing.toString("latin1", start, start + LINE);
    const clip = before.slice(before.lastIndexOf("\n") + 1);
    const matrix = after.slice(0, after.indexOf(MATRIX));
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
