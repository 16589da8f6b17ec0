import {
  PDFiumLibrary,
  type PDFiumDocument,
  type PDFiumPage,
} from "@hyzyla/pdfium";
import { answerRequests } from "../../lib/threads.js";
import { PlatenError } from "../../plugin-api/index.js";
import { assertImageLimit, assertPixelLimit } from "./image-limits.js";

// Draws PDF pages with PDFium in a worker thread, so that the service keeps responding.

const POINTS_PER_INCH = 72;
const PIXELS_PER_INCH = 96;

const library = await PDFiumLibrary.init();

type SendPage = (page: RasterPage, moved: ArrayBuffer[]) => void;

answerRequests(async (request: RasterRequest, send: SendPage) => {
  const { pdf, choice, scale, isOne } = request;
  const document = await library.loadDocument(pdf);
  try {
    const pages = parsePageRanges(choice, document.getPageCount());
    assertImageLimit(pages.length);
    if (isOne) assertTotalPixels(document, pages, scale);
    for (const page of pages) await drawPage(document, page, scale, send);
  } finally {
    document.destroy();
  }
});

async function drawPage(
  document: PDFiumDocument,
  number: number,
  scale: number,
  send: SendPage,
): Promise<void> {
  const page = document.getPage(number - 1);
  const { width, height } = getPixelSize(page, scale);
  assertPixelLimit(width, height);
  const { data } = await page.render({
    render: "bitmap",
    scale: 1,
    width,
    height,
  });
  const moved = data.buffer instanceof ArrayBuffer ? [data.buffer] : [];
  send({ page: number, width, height, pixels: data }, moved);
}

/** Checked before drawing, since all pages are in memory at once. */
function assertTotalPixels(
  document: PDFiumDocument,
  pages: readonly number[],
  scale: number,
): void {
  const sizes = pages.map((page) =>
    getPixelSize(document.getPage(page - 1), scale),
  );
  const width = Math.max(...sizes.map((size) => size.width));
  assertPixelLimit(
    width,
    sizes.reduce((sum, { height }) => sum + height, 0),
  );
}

function getPixelSize(page: PDFiumPage, scale: number) {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const width = pointsToPixels(originalWidth, scale);
  return { width, height: pointsToPixels(originalHeight, scale) };
}

function pointsToPixels(points: number, scale: number): number {
  return Math.round((points / POINTS_PER_INCH) * PIXELS_PER_INCH * scale);
}

/** To the thread that draws pages. */
export interface RasterRequest {
  pdf: Uint8Array;
  /** `1`, `all`, `1-3,5`. */
  choice: string;
  scale: number;
  /** Whether all pages become one image, whose total size is limited. */
  isOne: boolean;
}

/** One page as RGBA rows. */
export interface RasterPage {
  page: number;
  width: number;
  height: number;
  pixels: Uint8Array;
}

const PART = /^(\d{1,6})(?:-(\d{1,6}))?$/;

/**
 * Parses page ranges such as `1`, `all` or `1-3,5` into page numbers, in their order, each once.
 * @throws PlatenError `invalid_request` for any other form, and for pages beyond `count`.
 */
function parsePageRanges(choice: string, count: number): number[] {
  if (choice.trim() === "all") return range(1, count);
  const pages = new Set<number>();
  for (const part of choice.split(","))
    for (const page of parsePart(part.trim(), choice, count)) pages.add(page);
  return [...pages];
}

function parsePart(part: string, choice: string, count: number): number[] {
  const [, first, last = first] = part.match(PART) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (!(from >= 1 && to >= from))
    throw new PlatenError(
      "invalid_request",
      `pages is "${choice}", but must have the form "1", "all" or "1-3,5", counted from 1.`,
    );
  if (to > count)
    throw new PlatenError(
      "invalid_request",
      `pages is "${choice}", but the document has ${count} ${count === 1 ? "page" : "pages"}.`,
    );
  return range(from, to);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
