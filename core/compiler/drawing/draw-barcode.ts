import {
  BAR_TEXT_HEIGHT,
  MIN_BAR_HEIGHT,
  isMatrix,
  type Symbology,
  encodeBars,
  type Bars,
  SYMBOLOGIES,
  type LinearSymbology,
  encodeGrid,
  type MatrixSymbology,
  gridPath,
  oneLine,
} from "../../definition/barcodes.js";
import { escapeXml } from "../../lib/escape-xml.js";
import { toMillimetres } from "./css-length.js";

export interface BarcodeDrawing {
  value: string;
  symbology: Symbology;
  /** Whether to print the value below; by default only for linear barcodes. */
  showText?: boolean | undefined;
  /** A CSS length ("18mm") for the whole drawing; a relative one keeps the default height. */
  height?: string | undefined;
  /** A CSS length for the whole drawing, which is larger or smaller with it; a relative one keeps the default width. */
  width?: string | undefined;
}

/**
 * Draws a barcode as inline SVG with quiet zones on white, with its value below as text in the font of the document. A
 * missing check digit is added. Throws `merge_failed` for a value that the symbology cannot encode and for a wrong
 * check digit.
 */
export function drawBarcode(drawing: BarcodeDrawing): string {
  const { value, symbology, showText, height = "", width = "" } = drawing;
  const size = {
    heightMm: toMillimetres(height),
    widthMm: toMillimetres(width),
  };
  return barcodeSvg(
    isMatrix(symbology)
      ? drawMatrix({ value, symbology, showText: showText ?? false, ...size })
      : drawLinear({ value, symbology, showText: showText ?? true, ...size }),
  );
}

interface LinearBarcode {
  value: string;
  symbology: LinearSymbology;
  showText: boolean;
  /** Size of the drawing in millimeters; null for the default. */
  heightMm: number | null;
  widthMm: number | null;
}

interface Layout {
  left: number; // where the bars begin
  width: number; // of the drawing
  barHeight: number;
  belowBars: number; // room for the text
  moduleMm: number;
}

const TEXT_SIZE = 8;
const TEXT_BASELINE = 8; // below the bars
const GUARD_REACH = 5; // how far a retail code's guard bars reach below the others
const BEARER_WIDTH = 2; // thickness of ITF-14's bars above and below

/** Default heights of the bars (GS1 General Specifications at 100%; usual office sizes for the others). */
const defaultHeights: Record<LinearSymbology, number> = {
  code128: 36,
  code39: 36,
  ean13: 69,
  ean8: 55,
  upca: 69,
  itf14: 40,
  "gs1-128": 64,
};

/** Throws `merge_failed` for a value that it cannot encode. */
function drawLinear(barcode: LinearBarcode): BarcodeFrame {
  const { symbology } = barcode;
  const { name } = SYMBOLOGIES[symbology];
  const bars = encodeBars(barcode.value, symbology);
  const layout = layOut(barcode, bars);
  const reach = isRetail(symbology) && barcode.showText ? GUARD_REACH : 0;
  return {
    name: `${name} ${printedLine(bars.value)}`,
    width: layout.width,
    height: layout.barHeight + layout.belowBars,
    moduleMm: layout.moduleMm,
    markup: [
      `<path d="${barPath(bars, layout, reach)}"/>`,
      symbology === "itf14" ? bearerBars(layout) : "",
      barcode.showText ? textBelow(bars, symbology, layout) : "",
    ].join(""),
  };
}

function layOut(barcode: LinearBarcode, bars: Bars): Layout {
  const { symbology, showText, heightMm, widthMm } = barcode;
  const { quiet, ...usual } = SYMBOLOGIES[symbology];
  const symbol = quiet[0] + totalWidth(bars) + quiet[1];
  const text =
    showText && !isRetail(symbology)
      ? lineWidth(printedLine(bars.value), TEXT_SIZE)
      : 0;
  const width = Math.max(symbol, text);
  const belowBars = showText ? BAR_TEXT_HEIGHT : 0;
  const moduleMm = widthMm === null ? usual.moduleMm : widthMm / width;
  const height =
    heightMm === null
      ? defaultHeights[symbology]
      : heightMm / moduleMm - belowBars;
  return {
    left: round(quiet[0] + (width - symbol) / 2),
    width: round(width),
    barHeight: round(Math.max(MIN_BAR_HEIGHT, height)),
    belowBars,
    moduleMm,
  };
}

/** One filled rectangle for each bar; guard bars are `reach` longer. */
function barPath(bars: Bars, layout: Layout, reach: number): string {
  let x = layout.left;
  let path = "";
  bars.widths.forEach((width, index) => {
    const isBar = index % 2 === 0;
    const longer = bars.isGuard(index / 2) ? reach : 0;
    if (isBar)
      path += `M${x} 0h${width}v${layout.barHeight + longer}h-${width}z`;
    x += width;
  });
  return path;
}

function bearerBars({ width, barHeight }: Layout): string {
  return `<path d="M0 0h${width}v${BEARER_WIDTH}H0zM0 ${barHeight - BEARER_WIDTH}h${width}v${BEARER_WIDTH}H0z"/>`;
}

function textBelow(
  bars: Bars,
  symbology: LinearSymbology,
  layout: Layout,
): string {
  const baseline = layout.barHeight + TEXT_BASELINE;
  if (isRetail(symbology))
    return retailDigits(bars.value, symbology, layout.left, baseline);
  const middle = round(layout.left + totalWidth(bars) / 2);
  return barcodeText(printedLine(bars.value), middle, baseline, TEXT_SIZE);
}

function totalWidth(bars: Bars): number {
  return bars.widths.reduce((sum, width) => sum + width, 0);
}

function isRetail(symbology: LinearSymbology) {
  return symbology === "ean13" || symbology === "ean8" || symbology === "upca";
}

const DIGIT_MODULES = 7; // modules that one digit's bars take
const GUARD_MODULES = 3;
const MIDDLE_MODULES = 5;
const DIGIT_SIZE = 10;
const SMALL_DIGIT_SIZE = 7.5;

type RetailSymbology = "ean13" | "ean8" | "upca";

/** Number of digits below each half of the bars, and whether one is printed on the left and right. */
const layouts: Record<
  RetailSymbology,
  { half: number; skip: number; before: boolean; after: boolean; aside: number }
> = {
  ean13: { half: 6, skip: 0, before: true, after: false, aside: DIGIT_SIZE },
  ean8: { half: 4, skip: 0, before: false, after: false, aside: DIGIT_SIZE },
  upca: {
    half: 6,
    skip: 1,
    before: true,
    after: true,
    aside: SMALL_DIGIT_SIZE,
  },
};

/** Draws the digits of an EAN or UPC, each below its bars, which start at `left`. */
function retailDigits(
  digits: string,
  symbology: RetailSymbology,
  left: number,
  baseline: number,
): string {
  const { half, skip, before, after, aside } = layouts[symbology];
  const width = 2 * GUARD_MODULES + MIDDLE_MODULES + 2 * half * DIGIT_MODULES;
  const places = Array.from({ length: 2 * half }, (_, index) => {
    const gap = GUARD_MODULES + (index < half ? 0 : MIDDLE_MODULES);
    return left + gap + index * DIGIT_MODULES + DIGIT_MODULES / 2;
  }).slice(skip, skip === 0 ? undefined : -skip);
  const first = before ? 1 : 0;
  return [
    before ? barcodeText(digits.slice(0, 1), left - 5.5, baseline, aside) : "",
    barcodeText(
      digits.slice(first, first + places.length),
      places,
      baseline,
      DIGIT_SIZE,
    ),
    after
      ? barcodeText(digits.slice(-1), left + width + 5.5, baseline, aside)
      : "",
  ].join("");
}

interface MatrixBarcode {
  value: string;
  symbology: MatrixSymbology;
  showText: boolean;
  /** Height of the drawing in millimeters; null when it does not matter. */
  heightMm: number | null;
  /** Width of the drawing in millimeters; null when it does not matter. */
  widthMm: number | null;
}

const MATRIX_TEXT_SIZE = 5;
/** Four points, about the smallest print that people read. */
const MIN_TEXT_MM = 1.4;

/** Draws a matrix barcode with its quiet zone. Throws `merge_failed` for a value that it cannot encode. */
function drawMatrix(barcode: MatrixBarcode): BarcodeFrame {
  const { value, symbology, showText, heightMm, widthMm } = barcode;
  const { name, moduleMm, quiet } = SYMBOLOGIES[symbology];
  const grid = encodeGrid(value, symbology);
  const symbol = grid.columns + quiet[0] + quiet[1];
  const rows = grid.rows + quiet[0] + quiet[1];
  const scaleTo = (width: number, height: number) =>
    Math.min(
      heightMm === null ? Infinity : heightMm / height,
      widthMm === null ? Infinity : widthMm / width,
    );
  const largest = scaleTo(symbol, rows);
  const isSized = largest !== Infinity;
  const { lines, size } = layOutLines(showText ? grid.lines : [], {
    room: symbol,
    readable: MIN_TEXT_MM / (isSized ? largest : moduleMm),
    canBreak: symbology !== "gs1datamatrix",
    canWiden: !isSized,
  });
  const longest = Math.max(0, ...lines.map((line) => lineWidth(line, size)));
  const aside = Math.max(0, Math.ceil((longest - symbol) / 2 - 0.01));
  const lineHeight = round(1.4 * size);
  const texts = lines.map((line, index) =>
    barcodeText(
      line,
      round(aside + quiet[0] + grid.columns / 2),
      round(rows + index * lineHeight + 0.9 * size),
      size,
    ),
  );
  const width = symbol + 2 * aside;
  const height = rows + lines.length * lineHeight;
  return {
    name,
    width,
    height,
    moduleMm: isSized ? scaleTo(width, height) : moduleMm,
    markup: `<path fill="none" stroke="#000" d="${gridPath(grid, aside + quiet[0], quiet[0])}"/>${texts.join("")}`,
  };
}

interface LineRules {
  /** The width of the code, in modules. */
  room: number;
  /** The smallest readable size, in modules. */
  readable: number;
  /** False for the elements of GS1, of which each stays on its line. */
  canBreak: boolean;
  /** Whether the drawing may be wider than the code. */
  canWiden: boolean;
}

/**
 * The lines below a matrix barcode and their size: smaller until they are as wide as the code. What is unreadable then
 * is broken or wider than the code; elements of GS1 in a drawing of a fixed size are smaller still.
 */
function layOutLines(
  texts: readonly string[],
  { room, readable, canBreak, canWiden }: LineRules,
): { lines: string[]; size: number } {
  const lines = texts.map(printedLine).filter((line) => line !== "");
  const fitting = Math.min(
    MATRIX_TEXT_SIZE,
    ...lines.map((line) => room / lineWidth(line, 1)),
  );
  const isReadable = fitting >= readable || (!canBreak && !canWiden);
  const size = isReadable ? fitting : Math.min(MATRIX_TEXT_SIZE, readable);
  // Not rounded up, which would make a line a little too wide.
  const rounded = Math.floor(size * 100) / 100;
  const perLine = Math.floor(room / lineWidth("0", rounded));
  return {
    lines: canBreak ? lines.flatMap((line) => breakLine(line, perLine)) : lines,
    size: rounded,
  };
}

/** Lines of equal length, of at most `room` characters. */
function breakLine(line: string, room: number): string[] {
  const characters = Array.from(line);
  const count = Math.ceil(characters.length / room);
  const length = Math.ceil(characters.length / count);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(""),
  );
}

// The text below a barcode, in the font of the document. Sizes are in modules.

/** The mean glyph width of capitals and digits in a common font, relative to the font size. */
const GLYPH = 0.65;

function printedLine(value: string): string {
  return oneLine(value, 80);
}

/** Estimates the width of a line. */
function lineWidth(line: string, size: number): number {
  return Array.from(line).length * size * GLYPH;
}

/**
 * Text centered at `x`, or each character at its own position. The style resets what a container may have set for its
 * text.
 */
function barcodeText(
  text: string,
  x: number | readonly number[],
  baseline: number,
  size: number,
): string {
  const places = typeof x === "number" ? String(x) : x.join(" ");
  return (
    `<text x="${places}" y="${baseline}" text-anchor="middle" fill="#000"` +
    ` style="font-size:${size}px;font-style:normal;font-weight:400;letter-spacing:0;word-spacing:0;text-transform:none;direction:ltr">` +
    `${escapeXml(text)}</text>`
  );
}

/** A drawn barcode without its SVG element; sizes in modules. */
interface BarcodeFrame {
  name: string;
  width: number;
  height: number;
  /** Millimeters of one module. */
  moduleMm: number;
  markup: string;
}

/**
 * The SVG of a barcode on white, one unit per module. Its width and height attributes give the recommended size in
 * millimeters; CSS overrides them.
 */
function barcodeSvg(frame: BarcodeFrame): string {
  const { width, height, moduleMm } = frame;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width * moduleMm)}mm" height="${round(height * moduleMm)}mm"` +
    ` shape-rendering="crispEdges" role="img" aria-label="${escapeXml(frame.name)}">` +
    `<path fill="#fff" d="M0 0h${round(width)}v${round(height)}H0z"/>${frame.markup}</svg>`
  );
}

/** Two decimals are a hundredth of a module, finer than any printer. */
function round(size: number): number {
  return Math.round(size * 100) / 100;
}
