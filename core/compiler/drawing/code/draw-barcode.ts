import { barcodeSvg } from "./barcode-frame.js";
import { toMillimetres } from "../css-length.js";
import { drawLinear } from "./linear-barcode.js";
import { drawMatrix } from "./matrix-barcode.js";
import {
  isMatrix,
  type Symbology,
} from "../../../definition/barcodes/symbology.js";

export interface BarcodeDrawing {
  value: string;
  symbology: Symbology;
  /** Whether the value is printed below: by default it is below bars, and is not below Data Matrix and PDF417. */
  showText?: boolean | undefined;
  /** A CSS length ("18mm") for the whole drawing; a relative one leaves the usual height. */
  height?: string | undefined;
}

/**
 * Inline SVG of a barcode with its quiet zones, on white, its value below as text in the document's font. A check digit
 * that is missing is added. Throws `merge_failed` for a value that the symbology cannot carry and for a wrong check digit.
 */
export function drawBarcode(drawing: BarcodeDrawing): string {
  const { value, symbology, showText, height } = drawing;
  const heightMm = height === undefined ? null : toMillimetres(height);
  return barcodeSvg(
    isMatrix(symbology)
      ? drawMatrix({ value, symbology, showText: showText ?? false, heightMm })
      : drawLinear({ value, symbology, showText: showText ?? true, heightMm }),
  );
}
