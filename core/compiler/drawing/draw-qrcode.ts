import { create, type BitMatrix } from "qrcode";
import { PlatenError } from "../../plugin-api/index.js";
import {
  gridPath,
  hasBrokenCharacter,
  quotedValue,
} from "../../definition/barcodes.js";

export type ErrorCorrection = "L" | "M" | "Q" | "H";

export interface QrcodeDrawing {
  value: string;
  /** Error correction: the share of the symbol that may be damaged. L 7%, M 15% (the default), Q 25%, H 30%. */
  ecc?: ErrorCorrection | undefined;
}

const QUIET_ZONE = 4; // modules, ISO/IEC 18004

/** ISO/IEC 18004, table 7: capacity of the largest version. */
const capacities: Record<ErrorCorrection, { bytes: number; digits: number }> = {
  L: { bytes: 2953, digits: 7089 },
  M: { bytes: 2331, digits: 5596 },
  Q: { bytes: 1663, digits: 3993 },
  H: { bytes: 1273, digits: 3057 },
};

/**
 * Draws a QR code as inline SVG with its quiet zone, one unit per module, without width and height. Throws
 * `merge_failed` for an empty value, an invalid character and a value that is too long.
 */
export function drawQrcode({ value, ecc = "M" }: QrcodeDrawing): string {
  const modules = encode(value, ecc);
  const side = modules.size + 2 * QUIET_ZONE;
  const path = gridPath(
    {
      columns: modules.size,
      rows: modules.size,
      isDark: (column, row) => modules.get(row, column) !== 0,
    },
    QUIET_ZONE,
    QUIET_ZONE,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges" role="img" aria-label="QR code">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="none" stroke="#000" d="${path}"/></svg>`
  );
}

function encode(value: string, ecc: ErrorCorrection): BitMatrix {
  const problem = findProblem(value, ecc);
  if (problem !== null) throw new PlatenError("merge_failed", problem);
  try {
    return create(value, { errorCorrectionLevel: ecc }).modules;
  } catch (cause) {
    throw new PlatenError("merge_failed", tooLong(value, ecc), { cause });
  }
}

function findProblem(value: string, ecc: ErrorCorrection): string | null {
  if (value === "")
    return "The QR code has no value. Add a value, or a condition that hides the QR code.";
  if (hasBrokenCharacter(value))
    return `The QR code's value ${quotedValue(value)} has an invalid character (half of a surrogate pair).`;
  // No encoding mode holds more characters than digits; this check avoids a long search in the encoder.
  if (value.length > capacities[ecc].digits) return tooLong(value, ecc);
  return null;
}

function tooLong(value: string, ecc: ErrorCorrection): string {
  const { bytes, digits } = capacities[ecc];
  return `The QR code's value ${quotedValue(value)} is too long: it has ${Buffer.byteLength(value)} bytes, but with error correction ${ecc} the limit is ${bytes} (${digits} if all are digits).`;
}
