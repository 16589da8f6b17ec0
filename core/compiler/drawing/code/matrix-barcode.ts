import { round, type BarcodeFrame } from "./barcode-frame.js";
import { barcodeText, lineWidth, printedLine } from "./barcode-text.js";
import { encodeGrid } from "../../../definition/barcodes/encode-barcode.js";
import { gridPath } from "../../../definition/barcodes/module-grid.js";
import {
  SYMBOLOGIES,
  type MatrixSymbology,
} from "../../../definition/barcodes/symbology.js";

export interface MatrixBarcode {
  value: string;
  symbology: MatrixSymbology;
  showText: boolean;
  /** Of the symbol without its text, in millimetres; null for the usual size of a module. */
  heightMm: number | null;
}

const TEXT_SIZE = 5;
const TEXT_ROOM = 7;
const TEXT_BASELINE = 4.5; // below the quiet zone

/** Draws a matrix barcode with its quiet zone. Throws `merge_failed` for a value that it cannot carry. */
export function drawMatrix(barcode: MatrixBarcode): BarcodeFrame {
  const { value, symbology, showText, heightMm } = barcode;
  const { name, moduleMm, quiet } = SYMBOLOGIES[symbology];
  const grid = encodeGrid(value, symbology);
  const line = showText ? printedLine(value) : "";
  const symbol = grid.columns + quiet[0] + quiet[1];
  // Whole modules, so that every module's edge stays on the grid.
  const width = Math.max(symbol, Math.ceil(lineWidth(line, TEXT_SIZE)));
  const left = quiet[0] + Math.floor((width - symbol) / 2);
  const rows = grid.rows + quiet[0] + quiet[1];
  return {
    name,
    width,
    height: rows + (line === "" ? 0 : TEXT_ROOM),
    moduleMm: heightMm === null ? moduleMm : heightMm / rows,
    markup:
      `<path fill="none" stroke="#000" d="${gridPath(grid, left, quiet[0])}"/>` +
      (line === ""
        ? ""
        : barcodeText(
            line,
            round(left + grid.columns / 2),
            rows + TEXT_BASELINE,
            TEXT_SIZE,
          )),
  };
}
