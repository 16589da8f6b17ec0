import { crc32 } from "node:zlib";
import type { ImageType } from "../../plugin-api/index.js";

const PIXELS_PER_INCH = 96;
const METERS_PER_INCH = 0.0254;

/**
 * Writes into an image how many pixels an inch has, so that programs that place it show it in the size of the document.
 * @param scale image pixels for each CSS pixel
 */
export function setDensity(
  image: Buffer,
  type: ImageType,
  scale: number,
): Buffer {
  const perInch = PIXELS_PER_INCH * scale;
  return type === "png"
    ? setPngDensity(image, Math.round(perInch / METERS_PER_INCH))
    : setJpegDensity(image, Math.max(1, Math.round(perInch)));
}

const SIGNATURE_BYTES = 8;
/** Its length, its type and its checksum. */
const CHUNK_FRAME_BYTES = 12;
const PER_METER = 1;

/** The chunk `pHYs` follows the first one; one that is there already is replaced. */
function setPngDensity(png: Buffer, perMeter: number): Buffer {
  const [header, ...others] = readHead(png);
  if (!header) return png;
  const rest = others.filter((chunk) => getChunkType(chunk) !== "pHYs");
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, PER_METER]);
  data.writeUInt32BE(perMeter, 0);
  data.writeUInt32BE(perMeter, 4);
  const headBytes = others.reduce(
    (sum, { length }) => sum + length,
    SIGNATURE_BYTES + header.length,
  );
  return Buffer.concat([
    png.subarray(0, SIGNATURE_BYTES),
    header,
    createChunk("pHYs", data),
    ...rest,
    png.subarray(headBytes),
  ]);
}

/** The chunks before the pixels. */
function readHead(png: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  let at = SIGNATURE_BYTES;
  while (at + CHUNK_FRAME_BYTES <= png.length) {
    const chunk = png.subarray(
      at,
      at + CHUNK_FRAME_BYTES + png.readUInt32BE(at),
    );
    if (getChunkType(chunk) === "IDAT") break;
    chunks.push(chunk);
    at += chunk.length;
  }
  return chunks;
}

function getChunkType(chunk: Buffer): string {
  return chunk.toString("latin1", 4, 8);
}

function createChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(CHUNK_FRAME_BYTES + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, "latin1");
  data.copy(chunk, 8);
  const end = 8 + data.length;
  chunk.writeUInt32BE(crc32(chunk.subarray(4, end)), end);
  return chunk;
}

const START_BYTES = 2;
/** The segment JFIF in version 1.1, in dots per inch, without a thumbnail. */
const JFIF = Buffer.from("ffe000104a46494600010101000000000000", "hex");
const ACROSS_AT = 12;
const DOWN_AT = 14;

/** The segment JFIF is the first of a file that has one; it is replaced, otherwise added. */
function setJpegDensity(jpeg: Buffer, perInch: number): Buffer {
  const segment = Buffer.from(JFIF);
  segment.writeUInt16BE(perInch, ACROSS_AT);
  segment.writeUInt16BE(perInch, DOWN_AT);
  const hasJfif = jpeg.toString("latin1", 6, 10) === "JFIF";
  const restAt = hasJfif
    ? START_BYTES + 2 + jpeg.readUInt16BE(START_BYTES + 2)
    : START_BYTES;
  return Buffer.concat([
    jpeg.subarray(0, START_BYTES),
    segment,
    jpeg.subarray(restAt),
  ]);
}
