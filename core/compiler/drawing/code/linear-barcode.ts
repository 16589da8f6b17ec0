import { round, type BarcodeFrame } from "./barcode-frame.js";
import { barcodeText, lineWidth, printedLine } from "./barcode-text.js";
import {
  encodeBars,
  type Bars,
} from "../../../definition/barcodes/encode-barcode.js";
import { retailDigits } from "./retail-digits.js";
import {
  SYMBOLOGIES,
  type LinearSymbology,
} from "../../../definition/barcodes/symbology.js";

export interface LinearBarcode {
  value: string;
  symbology: LinearSymbology;
  showText: boolean;
  /** Of the whole drawing, in millimetres; null for the usual height. */
  heightMm: number | null;
}

interface Layout {
  left: number; // where the bars begin
  width: number; // of the drawing
  barHeight: number;
  belowBars: number; // room for the text
}

const TEXT_SIZE = 8;
const TEXT_ROOM = 10;
const TEXT_BASELINE = 8; // below the bars
const GUARD = 5; // how far a retail code's guard bars reach below the others
const BEARER = 2; // thickness of ITF-14's bars above and below
const LEAST_HEIGHT = 8;

/** Usual heights of the bars (GS1 General Specifications at 100 %; the others as offices print them). */
const usualHeights: Record<LinearSymbology, number> = {
  code128: 36,
  code39: 36,
  ean13: 69,
  ean8: 55,
  upca: 69,
  itf14: 40,
};

/** Draws a linear barcode. Throws `merge_failed` for a value that it cannot carry. */
export function drawLinear(barcode: LinearBarcode): BarcodeFrame {
  const { symbology } = barcode;
  const { name, moduleMm } = SYMBOLOGIES[symbology];
  const bars = encodeBars(barcode.value, symbology);
  const layout = layOut(barcode, bars);
  const reach = isRetail(symbology) && barcode.showText ? GUARD : 0;
  return {
    name: `${name} ${printedLine(bars.value)}`,
    width: layout.width,
    height: layout.barHeight + layout.belowBars,
    moduleMm,
    markup: [
      `<path d="${barPath(bars, layout, reach)}"/>`,
      symbology === "itf14" ? bearerBars(layout) : "",
      barcode.showText ? textBelow(bars, symbology, layout) : "",
    ].join(""),
  };
}

function layOut(barcode: LinearBarcode, bars: Bars): Layout {
  const { symbology, showText, heightMm } = barcode;
  const { moduleMm, quiet } = SYMBOLOGIES[symbology];
  const symbol = quiet[0] + totalWidth(bars) + quiet[1];
  const text =
    showText && !isRetail(symbology)
      ? lineWidth(printedLine(bars.value), TEXT_SIZE)
      : 0;
  const width = Math.max(symbol, text);
  const belowBars = showText ? TEXT_ROOM : 0;
  const height =
    heightMm === null
      ? usualHeights[symbology]
      : heightMm / moduleMm - belowBars;
  return {
    left: round(quiet[0] + (width - symbol) / 2),
    width: round(width),
    barHeight: round(Math.max(LEAST_HEIGHT, height)),
    belowBars,
  };
}

/** One filled rectangle for each bar; `reach` is how much longer the guard bars are. */
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
  return `<path d="M0 0h${width}v${BEARER}H0zM0 ${barHeight - BEARER}h${width}v${BEARER}H0z"/>`;
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
