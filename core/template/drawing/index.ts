// Drawings as inline SVG: pure, the same for the same input, well-formed XML (a header's drawing is parsed as XML),
// without ids, scripts and references, so that any number of them may stand in one document.
export { drawBarcode, type BarcodeDrawing } from "./draw-barcode.js";
export {
  drawQrcode,
  type ErrorCorrection,
  type QrcodeDrawing,
} from "./draw-qrcode.js";
export { checkBarcode } from "./check-barcode.js";
export type { Symbology } from "./symbology.js";
