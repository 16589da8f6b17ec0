import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { PlatenError } from "../../../core/plugin-api/index.js";

// The tests read what was drawn with a decoder that shares no code with what drew it.

const wasm = fileURLToPath(
  import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm"),
);

prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer } });

interface ReadCode {
  format: string;
  text: string;
  /** What a scanner sends of a GS1 code: the identifier of its symbology and its content, with GS for FNC1. */
  sent?: string;
}

/** All codes that a reader finds in a drawing, rasterized at a number of pixels for each millimetre. */
export async function readCodes(
  svg: string,
  pixelsPerMillimetre = 12,
): Promise<ReadCode[]> {
  const picture = await sharp(Buffer.from(svg), {
    density: pixelsPerMillimetre * 25.4,
  })
    .flatten({ background: "#fff" })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return readPicture(picture);
}

/** All codes that a reader finds in a PNG. */
export async function readPicture(picture: Buffer): Promise<ReadCode[]> {
  const found = await readBarcodes(new Uint8Array(picture), {
    tryRotate: false,
    tryInvert: false,
    tryDownscale: false,
  });
  return found.map(({ format, text, ...code }) => ({
    format,
    text,
    ...(code.contentType === "GS1" && {
      sent: code.symbologyIdentifier + Buffer.from(code.bytes).toString(),
    }),
  }));
}

/** The message of the `merge_failed` error that an action throws; fails the test when it throws none, or another. */
export function rejected(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof PlatenError && error.code === "merge_failed")
      return error.message;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}
