// Whether the data of an image reaches its end. Browsers and most decoders show what there is of a file that was cut
// off and report nothing, so the end is looked for in the structure of the file, without decoding it.

/** True also for formats whose end is not looked for here. @param mimeType as `detectImageType` returns it */
export function isCompleteImage(bytes: Buffer, mimeType: string): boolean {
  const hasEnd = END_CHECKS[mimeType];
  if (!hasEnd) return true;
  try {
    return hasEnd(bytes);
  } catch (error) {
    // A number was read beyond the end of the file.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const END_CHECKS: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  "image/png": hasPngEnd,
  "image/jpeg": hasJpegEnd,
  "image/gif": hasGifEnd,
  "image/webp": (webp) => webp.length >= 8 + webp.readUInt32LE(4),
  "image/avif": hasAllBoxes,
};

/** The names of a PNG's last chunk and of the box with the pixels of an AVIF, as numbers, which compare faster. */
const IEND = 0x49454e44;
const MDAT = 0x6d646174;

/** Chunks: their length, type, data and checksum; the last is `IEND`. */
function hasPngEnd(png: Buffer): boolean {
  let at = 8;
  for (;;) {
    const end = at + 12 + png.readUInt32BE(at);
    if (end > png.length) return false;
    if (png.readUInt32BE(at + 4) === IEND) return true;
    at = end;
  }
}

const MARKER = 0xff;
const JPEG_END = 0xd9;
const SCAN = 0xda;

/** Segments with a length; the pixels of a scan follow its segment and end at the next marker. */
function hasJpegEnd(jpeg: Buffer): boolean {
  let at = 2;
  for (;;) {
    at = findMarker(jpeg, at);
    if (at < 0) return false;
    const marker = jpeg.readUInt8(at + 1);
    if (marker === JPEG_END) return true;
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    if (end > jpeg.length) return false;
    at = marker === SCAN ? findScanEnd(jpeg, end) : end;
    if (at < 0) return false;
  }
}

/** A marker may be preceded by any number of its first byte. */
function findMarker(jpeg: Buffer, from: number): number {
  let at = jpeg.indexOf(MARKER, from);
  while (at >= 0 && jpeg[at + 1] === MARKER) at += 1;
  return at;
}

/** In a scan, a zero after the first byte of a marker means that it is none; restart markers belong to the scan. */
function findScanEnd(jpeg: Buffer, from: number): number {
  // Byte by byte: a search for each marker takes a second where there is nothing else.
  for (let at = from; at < jpeg.length; at += 1) {
    if (jpeg[at] !== MARKER) continue;
    const marker = jpeg[at + 1] ?? 0;
    if (marker === MARKER || marker === 0) continue;
    if (marker < 0xd0 || marker > 0xd7) return at;
  }
  return -1;
}

const GIF_EXTENSION = 0x21;
const GIF_IMAGE = 0x2c;

/** Blocks of data in parts, each with its length; a part of no length ends a block. */
function hasGifEnd(gif: Buffer): boolean {
  let at = 13 + getColorTableBytes(gif.readUInt8(10));
  for (;;) {
    const block = gif.readUInt8(at);
    if (block === GIF_EXTENSION) at = skipParts(gif, at + 2);
    else if (block === GIF_IMAGE) {
      const colors = getColorTableBytes(gif.readUInt8(at + 9));
      at = skipParts(gif, at + 11 + colors);
    } else return true; // The end, or what no decoder reads.
  }
}

function getColorTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function skipParts(gif: Buffer, from: number): number {
  let at = from;
  for (let size = gif.readUInt8(at); size > 0; size = gif.readUInt8(at))
    at += 1 + size;
  return at + 1;
}

/** Boxes begin with their length; 0 means that a box reaches to the end of the file, 1 that a longer number follows. */
function hasAllBoxes(avif: Buffer): boolean {
  let hasPixels = false;
  let at = 0;
  while (at + 8 <= avif.length) {
    const short = avif.readUInt32BE(at);
    const length = short === 1 ? Number(avif.readBigUInt64BE(at + 8)) : short;
    hasPixels ||= avif.readUInt32BE(at + 4) === MDAT;
    if (length < 8) break;
    at += length;
  }
  return hasPixels && at <= avif.length;
}
