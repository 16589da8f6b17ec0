import { escapeXml } from "../../../lib/escape-xml.js";

/** A barcode ready to be put into its SVG; sizes in modules. */
export interface BarcodeFrame {
  name: string;
  width: number;
  height: number;
  /** Millimetres of one module. */
  moduleMm: number;
  markup: string;
}

/**
 * The SVG of a barcode on white, one unit to a module. Its width and height attributes give the size that readers
 * expect, in millimetres; a CSS width or height overrides them.
 */
export function barcodeSvg(frame: BarcodeFrame): string {
  const { width, height, moduleMm } = frame;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width * moduleMm)}mm" height="${round(height * moduleMm)}mm"` +
    ` shape-rendering="crispEdges" role="img" aria-label="${escapeXml(frame.name)}">` +
    `<path fill="#fff" d="M0 0h${round(width)}v${round(height)}H0z"/>${frame.markup}</svg>`
  );
}

/** Two decimals are a hundredth of a module: finer than any printer. */
export function round(size: number): number {
  return Math.round(size * 100) / 100;
}
