import { PlatenError } from "../plugin-api/index.js";
import type { Asset } from "../storage/database/index.js";
import type { AssetKind } from "./asset-kind.js";

/** A file that may be too large for memory. */
export interface ReadableFile {
  sizeBytes: number;
  /** The bytes from `start` to before `end`. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** By the library's name of the format. */
const videoFormats: Readonly<
  Record<string, { mimeType: string; extension: string }>
> = {
  MP4: { mimeType: "video/mp4", extension: "mp4" },
  "QuickTime File Format": { mimeType: "video/quicktime", extension: "mov" },
  WebM: { mimeType: "video/webm", extension: "webm" },
};

/** @throws PlatenError `invalid_request` for an unsupported or incomplete file and for one without a video track. */
export async function readVideoKind(file: ReadableFile): Promise<AssetKind> {
  const { format, track, seconds } = await readVideoInfo(file).catch(
    (cause: unknown) => {
      throw videoError("The video is damaged.", cause);
    },
  );
  const kind = videoFormats[format];
  if (!kind) throw videoError("Unsupported video format.");
  if (!(await isComplete(file)))
    throw videoError("The video is incomplete. Send the complete file.");
  if (!track) throw videoError("The video is damaged or has no video track.");
  const { width, height, codec } = track;
  return {
    assetType: "video",
    ...kind,
    width,
    height,
    details: { durationSeconds: Math.round(seconds * 1000) / 1000, codec },
  };
}

async function readVideoInfo(file: ReadableFile) {
  // Loaded on first use: few installations have videos.
  const { CustomSource, Input, MATROSKA, MP4, QTFF, WEBM } =
    await import("mediabunny");
  const input = new Input({
    formats: [MP4, QTFF, WEBM, MATROSKA],
    source: new CustomSource({
      getSize: () => file.sizeBytes,
      read: (start, end) => file.read(start, end),
    }),
  });
  try {
    const format = await input.getFormat();
    const track = await input.getPrimaryVideoTrack();
    return {
      format: format.name,
      seconds: track ? await track.computeDuration() : 0,
      track: track && {
        width: track.displayWidth,
        height: track.displayHeight,
        codec: track.codec,
      },
    };
  } finally {
    input.dispose();
  }
}

function videoError(message: string, cause?: unknown): PlatenError {
  return new PlatenError(
    "invalid_request",
    `${message} Use mp4, webm or mov.`,
    { cause },
  );
}

/** Whether the file is as long as its outermost elements say. */
async function isComplete(file: ReadableFile): Promise<boolean> {
  const head = Buffer.from(await file.read(0, Math.min(4, file.sizeBytes)));
  return head.toString("latin1") === "\x1aE\xdf\xa3"
    ? isCompleteMatroska(file)
    : isCompleteIsoFile(file);
}

/** More top-level boxes than any valid file has. */
const maxBoxes = 100_000;

/** ISO/IEC 14496-12: a sequence of boxes, each prefixed with its length; 0 means "to the end". */
async function isCompleteIsoFile(file: ReadableFile): Promise<boolean> {
  let at = 0;
  for (let box = 0; at < file.sizeBytes && box < maxBoxes; box += 1) {
    const size = await readBoxSize(file, at);
    if (size === null) return false;
    at = size === 0 ? file.sizeBytes : at + size;
  }
  return at === file.sizeBytes;
}

/** null for an incomplete box. */
async function readBoxSize(
  file: ReadableFile,
  at: number,
): Promise<number | null> {
  const head = await readBytes(file, at, 16);
  if (head.length < 8) return null;
  const short = head.readUInt32BE(0);
  if (short === 0 || short >= 8) return short;
  if (short !== 1 || head.length < 16) return null;
  const long = Number(head.readBigUInt64BE(8));
  return long >= 16 ? long : null;
}

const segmentId = 0x18538067;

/** RFC 8794: the header, then the segment, whose length may be unknown. */
async function isCompleteMatroska(file: ReadableFile): Promise<boolean> {
  const header = parseVint(await readBytes(file, 4, 8));
  if (header === null || header.value === null) return false;
  const at = 4 + header.length + header.value;
  const begin = await readBytes(file, at, 12);
  if (begin.length < 5 || begin.readUInt32BE(0) !== segmentId) return false;
  const size = parseVint(begin.subarray(4));
  if (size === null) return false;
  const end = at + 4 + size.length + (size.value ?? 0);
  return end <= file.sizeBytes;
}

/** A number with variable length; all bits set means unknown, here null. */
function parseVint(
  bytes: Buffer,
): { length: number; value: number | null } | null {
  const first = bytes[0] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || bytes.length < length) return null;
  const marked = BigInt(`0x${bytes.toString("hex", 0, length)}`);
  const mask = (1n << BigInt(7 * length)) - 1n;
  const value = marked & mask;
  return { length, value: value === mask ? null : Number(value) };
}

async function readBytes(
  file: ReadableFile,
  at: number,
  length: number,
): Promise<Buffer> {
  const end = Math.min(at + length, file.sizeBytes);
  return at < end ? Buffer.from(await file.read(at, end)) : Buffer.alloc(0);
}

type Video = Pick<Asset, "width" | "height" | "details">;

const posterWidth = 1280;

/** Captions below the play button, both escaped for SVG. */
interface PosterCaptions {
  name: string;
  note: string;
}

/** A placeholder for a video on paper: a dark rectangle with its aspect ratio, a play button and optional captions. */
export function createPosterSvg(
  video: Video,
  captions?: PosterCaptions,
): string {
  const height = getPosterHeight(video);
  const middle = { x: posterWidth / 2, y: height / 2 };
  const radius = Math.min(104, height / 5);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${posterWidth}" height="${height}" viewBox="0 0 ${posterWidth} ${height}">` +
    '<defs><linearGradient id="sheet" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#2b3445"/>' +
    '<stop offset="1" stop-color="#141a26"/></linearGradient></defs>' +
    `<rect width="${posterWidth}" height="${height}" fill="url(#sheet)"/>` +
    `<circle cx="${middle.x}" cy="${middle.y}" r="${radius}" fill="#fff" fill-opacity=".14" stroke="#fff" stroke-width="5"/>` +
    `<path d="${triangle(middle, radius)}" fill="#fff" stroke="#fff" stroke-width="8" stroke-linejoin="round"/>` +
    (captions ? caption(captions, height) : "") +
    "</svg>"
  );
}

/** A PNG without captions for emails, whose readers show no SVG. */
export async function drawPoster(video: Video): Promise<Buffer> {
  // Loaded on first use: it takes long to load.
  const { default: sharp } = await import("sharp");
  return sharp(Buffer.from(createPosterSvg(video)))
    .png({ palette: true })
    .toBuffer();
}

/** Limits the aspect ratio to what looks good on a page. */
function getPosterHeight({ width, height }: Video): number {
  const ratio = width && height ? height / width : 9 / 16;
  return Math.round(posterWidth * Math.min(1.8, Math.max(0.3, ratio)));
}

/** Centered by its centroid, so that it looks centered. */
function triangle({ x, y }: { x: number; y: number }, radius: number): string {
  const [left, right, half] = [
    x - radius * 0.28,
    x + radius * 0.52,
    radius * 0.46,
  ];
  return `M${left} ${y - half}L${right} ${y}L${left} ${y + half}Z`;
}

function caption({ name, note }: PosterCaptions, height: number): string {
  const text = `font-family="Inter,Noto Sans,sans-serif" fill="#fff"`;
  return (
    `<text x="48" y="${height - 48}" ${text} font-size="38" font-weight="600">${name}</text>` +
    `<text x="${posterWidth - 48}" y="${height - 48}" ${text} font-size="32" fill-opacity=".75" text-anchor="end">${note}</text>`
  );
}
