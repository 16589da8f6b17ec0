import type { ReadableFile } from "./video-kind.js";

/** Whether the file goes as far as it says itself: each container tells the length of its outermost parts. */
export async function isWholeVideo(file: ReadableFile): Promise<boolean> {
  const head = Buffer.from(await file.read(0, Math.min(4, file.sizeBytes)));
  return head.toString("latin1") === "\x1aE\xdf\xa3"
    ? isWholeMatroska(file)
    : isWholeIsoFile(file);
}

/** More boxes at the outside than any whole file has. */
const MOST_BOXES = 100_000;

/** ISO/IEC 14496-12: boxes one after the other, each with its length before it; 0 means "to the end". */
async function isWholeIsoFile(file: ReadableFile): Promise<boolean> {
  let at = 0;
  for (let box = 0; at < file.sizeBytes && box < MOST_BOXES; box += 1) {
    const size = await boxSize(file, at);
    if (size === null) return false;
    at = size === 0 ? file.sizeBytes : at + size;
  }
  return at === file.sizeBytes;
}

/** null: there is no box any more, only a piece of one. */
async function boxSize(file: ReadableFile, at: number): Promise<number | null> {
  const head = await bytesAt(file, at, 16);
  if (head.length < 8) return null;
  const short = head.readUInt32BE(0);
  if (short === 0 || short >= 8) return short;
  if (short !== 1 || head.length < 16) return null;
  const long = Number(head.readBigUInt64BE(8));
  return long >= 16 ? long : null;
}

const SEGMENT = 0x18538067;

/** RFC 8794: the file's header, then the segment, whose length may be left open. */
async function isWholeMatroska(file: ReadableFile): Promise<boolean> {
  const header = vint(await bytesAt(file, 4, 8));
  if (header === null || header.value === null) return false;
  const at = 4 + header.length + header.value;
  const begin = await bytesAt(file, at, 12);
  if (begin.length < 5 || begin.readUInt32BE(0) !== SEGMENT) return false;
  const size = vint(begin.subarray(4));
  if (size === null) return false;
  const end = at + 4 + size.length + (size.value ?? 0);
  return end <= file.sizeBytes;
}

/** A number of variable length; its value is null where all its bits are set, which says "not known". */
function vint(bytes: Buffer): { length: number; value: number | null } | null {
  const first = bytes[0] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || bytes.length < length) return null;
  const marked = BigInt(`0x${bytes.toString("hex", 0, length)}`);
  const mask = (1n << BigInt(7 * length)) - 1n;
  const value = marked & mask;
  return { length, value: value === mask ? null : Number(value) };
}

async function bytesAt(
  file: ReadableFile,
  at: number,
  length: number,
): Promise<Buffer> {
  const end = Math.min(at + length, file.sizeBytes);
  return at < end ? Buffer.from(await file.read(at, end)) : Buffer.alloc(0);
}
