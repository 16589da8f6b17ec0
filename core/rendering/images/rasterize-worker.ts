// Draws PDF pages with PDFium, in a thread of its own so that the service goes on answering meanwhile.
import {
  PDFiumLibrary,
  type PDFiumDocument,
  type PDFiumPage,
} from "@hyzyla/pdfium";
import { parentPort } from "node:worker_threads";
import { PlatenError } from "../../plugin-api/index.js";
import { choosePages } from "./page-ranges.js";
import {
  refuseTooManyPictures,
  refuseTooManyPixels,
} from "./picture-limits.js";
import type { RasterAnswer, RasterRequest } from "./raster-messages.js";

const POINTS_PER_INCH = 72;
const PIXELS_PER_INCH = 96;

const port = parentPort;
if (!port) throw new Error("this file runs as a worker thread");
const library = await PDFiumLibrary.init();

port.on("message", (request: RasterRequest) => {
  draw(request).then(
    () => answer({ kind: "done" }),
    (error: unknown) => answer(failure(error)),
  );
});

async function draw(request: RasterRequest): Promise<void> {
  const { pdf, choice, scale, isOne } = request;
  const document = await library.loadDocument(pdf);
  try {
    const pages = choosePages(choice, document.getPageCount());
    refuseTooManyPictures(pages.length);
    if (isOne) refuseTogether(document, pages, scale);
    for (const page of pages) await drawPage(document, page, scale);
  } finally {
    document.destroy();
  }
}

async function drawPage(
  document: PDFiumDocument,
  number: number,
  scale: number,
): Promise<void> {
  const page = document.getPage(number - 1);
  const { width, height } = sizeOf(page, scale);
  refuseTooManyPixels(width, height);
  const { data } = await page.render({
    render: "bitmap",
    scale: 1,
    width,
    height,
  });
  answer({ kind: "page", page: number, width, height, pixels: data });
}

/** Before any is drawn: their pixels are all in memory at once. */
function refuseTogether(
  document: PDFiumDocument,
  pages: readonly number[],
  scale: number,
): void {
  const sizes = pages.map((page) => sizeOf(document.getPage(page - 1), scale));
  const width = Math.max(...sizes.map((size) => size.width));
  refuseTooManyPixels(
    width,
    sizes.reduce((sum, { height }) => sum + height, 0),
  );
}

function sizeOf(page: PDFiumPage, scale: number) {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const width = pixelsOf(originalWidth, scale);
  return { width, height: pixelsOf(originalHeight, scale) };
}

function pixelsOf(points: number, scale: number): number {
  return Math.round((points / POINTS_PER_INCH) * PIXELS_PER_INCH * scale);
}

function failure(error: unknown): RasterAnswer {
  if (!(error instanceof PlatenError))
    return { kind: "failed", reason: String(error) };
  return { kind: "refused", code: error.code, message: error.message };
}

/** The pixels are handed over, not copied. */
function answer(message: RasterAnswer): void {
  const buffer = "pixels" in message ? message.pixels.buffer : null;
  port?.postMessage(message, buffer instanceof ArrayBuffer ? [buffer] : []);
}
