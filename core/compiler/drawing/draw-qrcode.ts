import { gridPath } from "../../definition/barcodes.js";
import {
  encodeQrcode,
  type ErrorCorrection,
  QRCODE_QUIET_ZONE,
} from "../../definition/qrcodes.js";

export interface QrcodeDrawing {
  value: string;
  /** Error correction: the share of the symbol that may be damaged. L 7%, M 15% (the default), Q 25%, H 30%. */
  ecc?: ErrorCorrection | undefined;
}

/**
 * Draws a QR code as inline SVG with its quiet zone, one unit per module, without width and height. Throws as
 * `encodeQrcode`.
 */
export function drawQrcode({ value, ecc }: QrcodeDrawing): string {
  const modules = encodeQrcode(value, ecc);
  const side = modules.size + 2 * QRCODE_QUIET_ZONE;
  const path = gridPath(
    {
      columns: modules.size,
      rows: modules.size,
      isDark: (column, row) => modules.get(row, column) !== 0,
    },
    QRCODE_QUIET_ZONE,
    QRCODE_QUIET_ZONE,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges" role="img" aria-label="QR code">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="none" stroke="#000" d="${path}"/></svg>`
  );
}
