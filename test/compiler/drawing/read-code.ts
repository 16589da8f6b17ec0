import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

// The tests read what was drawn with a decoder that shares no code with what drew it.

const wasm = fileURLToPath(
  import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm"),
);

prepareZXingModule({
  overrides: { wasmBinary: readFileSync(wasm).buffer },
});

export interface ReadCode {
  format: string;
  text: string;
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
  const found = await readBarcodes(new Uint8Array(picture), {
    tryRotate: false,
    tryInvert: false,
    tryDownscale: false,
  });
  return found.map(({ format, text }) => ({ format, text }));
}
