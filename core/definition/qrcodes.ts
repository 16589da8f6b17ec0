import { create, type BitMatrix } from "qrcode";
import { PlatenError, type ComponentOf } from "../plugin-api/index.js";
import { hasBrokenCharacter, quotedValue } from "./barcodes.js";

export type ErrorCorrection = NonNullable<ComponentOf<"qrcode">["ecc"]>;

export const DEFAULT_QRCODE_SIZE = "28mm";
/** Modules around the code, ISO/IEC 18004. */
export const QRCODE_QUIET_ZONE = 4;

/** ISO/IEC 18004, table 7: capacity of the largest version. */
const capacities: Record<ErrorCorrection, { bytes: number; digits: number }> = {
  L: { bytes: 2953, digits: 7089 },
  M: { bytes: 2331, digits: 5596 },
  Q: { bytes: 1663, digits: 3993 },
  H: { bytes: 1273, digits: 3057 },
};

/**
 * The modules of a QR code. Throws `merge_failed` for an empty value, an invalid character and a value that is too long.
 */
export function encodeQrcode(
  value: string,
  ecc: ErrorCorrection = "M",
): BitMatrix {
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
