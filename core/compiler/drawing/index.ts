// Drawings as inline SVG: pure, the same for the same input, well-formed XML (a header's drawing is parsed as XML),
// without ids, scripts and references, so that any number of them may stand in one document.
export type { ChartKind, ChartSeries } from "./chart/chart-data.js";
export { drawBarcode, type BarcodeDrawing } from "./draw-barcode.js";
export { drawChart, type ChartDrawing } from "./chart/draw-chart.js";
export {
  drawPlaceholder,
  type PlaceholderDrawing,
} from "./draw-placeholder.js";
export {
  drawQrcode,
  type ErrorCorrection,
  type QrcodeDrawing,
} from "./draw-qrcode.js";
export type { Symbology } from "../../definition/barcodes/encode-barcode.js";
