import {
  PDFiumLibrary,
  type PDFiumDocument,
  type PDFiumPage,
  type PDFiumPageRenderOptions as Picture,
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
    render: async (picture) => {
      sharpenCodes(page, picture);
      return picture.data;
    },
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

// The names of PDFium's functions begin with an underscore.
// oxlint-disable no-underscore-dangle

type Library = PDFiumPage["module"];

/** Functions of PDFium that its types lack. Numbers in memory are given by their addresses. */
interface PathReader extends Library {
  _FPDFPath_CountSegments(path: number): number;
  _FPDFPath_GetPathSegment(path: number, index: number): number;
  _FPDFPathSegment_GetType(segment: number): number;
  _FPDFPathSegment_GetPoint(segment: number, x: number, y: number): void;
  _FPDFPageObj_GetBounds(
    object: number,
    left: number,
    bottom: number,
    right: number,
    top: number,
  ): void;
  _FPDFPageObj_Transform(
    object: number,
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
  ): void;
}

function readsPaths(pdfium: Library): pdfium is PathReader {
  return "_FPDFPathSegment_GetPoint" in pdfium;
}

const CHANNELS = 4;
const WHITE = 0xffffffff;
/** Flags of PDFium: annotations, text for LCDs, red first, and no smooth paths. */
const UNSMOOTHED = 0x01 | 0x02 | 0x10 | 0x4000;

/**
 * Draws codes again without gray edges. Where a bar is about two pixels wide, readers take the gray pixels at all bars
 * for bars or for spaces.
 */
function sharpenCodes(page: PDFiumPage, picture: Picture): void {
  const pdfium = page["module"];
  if (!readsPaths(pdfium)) return;
  const boxes = alignCodes(pdfium, page, picture);
  if (boxes.length === 0) return;
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.max(...boxes.map((box) => box.right)) - left;
  const height = Math.max(...boxes.map((box) => box.bottom)) - top;
  const stride = width * CHANNELS;
  withMemory(pdfium, stride * height, (at) => {
    const bitmap = pdfium._FPDFBitmap_CreateEx(
      width,
      height,
      CHANNELS,
      at,
      stride,
    );
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdfium._FPDF_RenderPageBitmap(
      bitmap,
      page["pageIdx"],
      -left,
      -top,
      picture.width,
      picture.height,
      0,
      UNSMOOTHED,
    );
    pdfium._FPDFBitmap_Destroy(bitmap);
    for (const box of boxes)
      for (let y = box.top; y < box.bottom; y += 1) {
        const from = at + (y - top) * stride + (box.left - left) * CHANNELS;
        const length = (box.right - box.left) * CHANNELS;
        const row = pdfium.HEAPU8.subarray(from, from + length);
        picture.data.set(row, (y * picture.width + box.left) * CHANNELS);
      }
  });
}

/** Edges; of pixels, those at the right and the bottom are outside. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Finds the paths that codes consist of: many lines, all of them horizontal or vertical. Moves each by less than a pixel:
 * an edge in the middle of a pixel would be drawn on either side of it.
 */
function alignCodes(
  pdfium: PathReader,
  page: PDFiumPage,
  { width, height }: Picture,
): Box[] {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const [scaleX, scaleY] = [width / originalWidth, height / originalHeight];
  const count = page.getObjectCount();
  return withMemory(pdfium, 4 * FLOAT_BYTES, (at) => {
    const boxes: Box[] = [];
    for (let index = 0; index < count; index += 1) {
      const object = pdfium._FPDFPage_GetObject(page["pageIdx"], index);
      if (!isCode(pdfium, object, at)) continue;
      const bounds = readBounds(pdfium, object, at);
      const left = bounds.left * scaleX;
      const top = height - bounds.top * scaleY;
      const moveX = (snapEdge(left) - left) / scaleX;
      const moveY = (top - snapEdge(top)) / scaleY;
      pdfium._FPDFPageObj_Transform(object, 1, 0, 0, 1, moveX, moveY);
      boxes.push({
        left: Math.max(0, Math.floor(left) - 1),
        top: Math.max(0, Math.floor(top) - 1),
        right: Math.min(width, Math.ceil(bounds.right * scaleX) + 1),
        bottom: Math.min(
          height,
          Math.ceil(height - bounds.bottom * scaleY) + 1,
        ),
      });
    }
    return boxes.filter((box) => box.left < box.right && box.top < box.bottom);
  });
}

/** The edges of modules that are whole or half pixels are then a quarter of a pixel from the middle of one. */
function snapEdge(edge: number): number {
  return Math.round(edge - 0.25) + 0.25;
}

/** In points, from the bottom of the page. @param at an address with room for four numbers */
function readBounds(pdfium: PathReader, object: number, at: number): Box {
  const [left, bottom, right, top] = [
    at,
    at + FLOAT_BYTES,
    at + 2 * FLOAT_BYTES,
    at + 3 * FLOAT_BYTES,
  ];
  pdfium._FPDFPageObj_GetBounds(object, left, bottom, right, top);
  return {
    left: readFloat(pdfium, left),
    bottom: readFloat(pdfium, bottom),
    right: readFloat(pdfium, right),
    top: readFloat(pdfium, top),
  };
}

const PATH = 2;
const LINE = 0;
const CURVE = 1;
/** The smallest Data Matrix has more. */
const MIN_CORNERS = 40;

/** @param at an address with room for two numbers */
function isCode(pdfium: PathReader, object: number, at: number): boolean {
  if (pdfium._FPDFPageObj_GetType(object) !== PATH) return false;
  const count = pdfium._FPDFPath_CountSegments(object);
  if (count < MIN_CORNERS) return false;
  let [lastX, lastY] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    const segment = pdfium._FPDFPath_GetPathSegment(object, index);
    const type = pdfium._FPDFPathSegment_GetType(segment);
    pdfium._FPDFPathSegment_GetPoint(segment, at, at + FLOAT_BYTES);
    const x = readFloat(pdfium, at);
    const y = readFloat(pdfium, at + FLOAT_BYTES);
    if (type === CURVE || (type === LINE && x !== lastX && y !== lastY))
      return false;
    [lastX, lastY] = [x, y];
  }
  return true;
}

const FLOAT_BYTES = 4;

function readFloat({ HEAPU8 }: Library, at: number): number {
  return new DataView(HEAPU8.buffer).getFloat32(at, true);
}

function withMemory<T>(
  { wasmExports }: Library,
  bytes: number,
  use: (at: number) => T,
): T {
  const at = wasmExports.malloc(bytes);
  if (at === 0) throw new Error(`PDFium has no memory for ${bytes} bytes.`);
  try {
    return use(at);
  } finally {
    wasmExports.free(at);
  }
}
