import { PlatenError } from "../../plugin-api/index.js";
import type { AssetKind } from "./asset-kind.js";
import { isWholeVideo } from "./whole-video.js";

/** A file that is read in parts, since it may be too large for memory. */
export interface ReadableFile {
  sizeBytes: number;
  /** The bytes from `start` on, without that at `end`. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** By the format's own name; what else Matroska and MP4 carry is no video of the web. */
const KINDS: Readonly<Record<string, { mimeType: string; extension: string }>> =
  {
    MP4: { mimeType: "video/mp4", extension: "mp4" },
    "QuickTime File Format": { mimeType: "video/quicktime", extension: "mov" },
    WebM: { mimeType: "video/webm", extension: "webm" },
  };

interface Found {
  format: string;
  track: { width: number; height: number; codec: string | null } | null;
  seconds: number;
}

/** @throws PlatenError `invalid_request` for what is no mp4, webm or mov, is cut off, or has no picture. */
export async function videoKind(file: ReadableFile): Promise<AssetKind> {
  const { format, track, seconds } = await examine(file).catch(
    (cause: unknown) => {
      throw refusal("The video is damaged.", cause);
    },
  );
  const kind = KINDS[format];
  if (!kind) throw refusal("This kind of video cannot be used.");
  if (!(await isWholeVideo(file)))
    throw refusal("The video was cut off: send the whole file.");
  if (!track) throw refusal("The video is damaged, or has no picture.");
  const { width, height, codec } = track;
  return {
    assetType: "video",
    ...kind,
    width,
    height,
    details: { durationSeconds: Math.round(seconds * 1000) / 1000, codec },
  };
}

async function examine(file: ReadableFile): Promise<Found> {
  // Loaded by the first video: few installations have any.
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

function refusal(message: string, cause?: unknown): PlatenError {
  return new PlatenError(
    "invalid_request",
    `${message} Use mp4, webm or mov.`,
    { cause },
  );
}
