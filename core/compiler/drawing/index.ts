// Drawings as inline SVG: deterministic, well-formed XML (a header is parsed as XML), without ids, scripts and
// references, so that a document may contain any number of them.
export { drawBarcode, type BarcodeDrawing } from "./draw-barcode.js";
export { drawChart, type ChartDrawing } from "./chart/draw-chart.js";
export { drawPlaceholder } from "./draw-placeholder.js";
export { safeColor } from "./chart/chart-colors.js";
export {
  drawSocialIcon,
  LINK_PATH,
  SOCIAL_ALIASES,
  SOCIAL_NETWORKS,
} from "./social-icons.js";
export { drawQrcode, type QrcodeDrawing } from "./draw-qrcode.js";
export type { Symbology } from "../../definition/barcodes.js";
