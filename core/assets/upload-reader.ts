import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import type { Readable } from "node:stream";
import type { Outbound } from "../lib/outbound/index.js";
import { openUnlinkedFile, removeLeftoverFiles } from "../lib/unlinked-file.js";
import { PlatenError } from "../plugin-api/index.js";
import { type AssetContext, type AssetLimits, getMaxBytes } from "./context.js";
import { detectFontFormat, readFontKind } from "./fonts.js";
import {
  detectImageType,
  findOtherImageFormat,
  getFormatError,
  readImageKind,
  sanitizeSvg,
} from "./images.js";
import { drawPoster, type ReadableFile, readVideoKind } from "./videos.js";
import type { AssetKind } from "./asset-kind.js";

/** A validated file, ready to be stored. */
export interface AssetContent {
  kind: AssetKind;
  contentHash: string;
  sizeBytes: number;
  /** Can be called again. */
  body(): Uint8Array | Readable;
  /** A still image of a video, as PNG. */
  poster: Buffer | null;
}

/** A format as far as the first bytes tell. */
type Format = "image" | "svg" | "video" | "font" | "pdf";

/** The number of bytes that are enough to detect the format. */
const headBytes = 4096;

/**
 * Reads an upload as it arrives. Its first bytes decide its format and so its maximum size; an invalid upload fails at
 * once, however much would follow. Videos are stored in a temporary file, everything else in memory.
 */
export class UploadReader {
  readonly #hash = createHash("sha256");
  #size = 0;
  #chunks: Uint8Array[] = [];
  #format: Format | null = null;
  #file: TemporaryFile | null = null;

  /** @param assetType the required type; null allows any. */
  constructor(
    private readonly context: Pick<
      AssetContext,
      "limits" | "folder" | "pdfChecks" | "compute"
    >,
    private readonly assetType: "image" | "video" | null,
    private readonly organizationId: string,
  ) {}

  /** @throws PlatenError `invalid_request`, `too_large`. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#size += chunk.length;
    this.#hash.update(chunk);
    this.#chunks.push(chunk);
    if (this.#size >= headBytes) await this.#check();
  }

  /** Validates the complete file and sanitizes SVGs. @throws PlatenError `invalid_request`, also for an empty file. */
  async end(): Promise<AssetContent> {
    if (this.#size === 0)
      throw new PlatenError("invalid_request", "The file is empty.");
    const format = await this.#check();
    const { organizationId } = this;
    const { limits, pdfChecks, compute } = this.context;
    const { imagePixels } = limits;
    const contentHash = this.#hash.digest("hex");
    if (this.#file) {
      const file = this.#file;
      const kind = await readVideoKind(file);
      const poster = await drawPoster(kind);
      const body = () => file.stream();
      return { kind, contentHash, sizeBytes: this.#size, body, poster };
    }
    const bytes = Buffer.concat(this.#chunks);
    if (format === "pdf")
      return toContent(
        await pdfChecks.readKind(bytes, organizationId),
        bytes,
        contentHash,
      );
    if (format === "font")
      return toContent(
        await readFontKind(bytes, compute, organizationId),
        bytes,
        contentHash,
      );
    if (format === "image")
      return toContent(
        await readImageKind(bytes, imagePixels, organizationId),
        bytes,
        contentHash,
      );
    // The sanitized SVG is stored instead of the upload, so it has its own hash.
    const { bytes: svg, changes } = await sanitizeSvg(
      bytes,
      imagePixels,
      compute,
      organizationId,
    );
    const svgHash = createHash("sha256").update(svg).digest("hex");
    const kind = await readImageKind(svg, imagePixels, organizationId);
    const details = changes.length > 0 ? { changes } : null;
    return toContent({ ...kind, details }, svg, svgHash);
  }

  /** Releases the temporary file. Call in every case. */
  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #check(): Promise<Format> {
    this.#format ??= this.#detectFormat();
    const maxBytes = this.#getMaxBytes(this.#format);
    if (this.#size > maxBytes) throw tooLarge(this.#format, maxBytes);
    if (this.#format === "video") {
      this.#file ??= await TemporaryFile.open(this.context.folder);
      for (const chunk of this.#chunks.splice(0))
        await this.#file.append(chunk);
    }
    return this.#format;
  }

  #detectFormat(): Format {
    const head = Buffer.concat(this.#chunks);
    if (findOtherImageFormat(head) !== null)
      throw new PlatenError("invalid_request", getFormatError(head));
    const format = detectFormat(head);
    if (format === null)
      throw new PlatenError(
        "invalid_request",
        "Unsupported file format. Use png, jpg, webp, gif, avif, svg, mp4, webm, mov, pdf, ttf, otf, woff or woff2.",
      );
    if (this.assetType === "video" && format !== "video")
      throw wrongType(
        `is video, but the file is of type ${format === "svg" ? "image" : format}.`,
        "Omit assetType, or send an mp4, webm or mov file.",
      );
    if (this.assetType === "image" && format === "video")
      throw wrongType(
        "is image, but the file is a video.",
        'Use "video" instead.',
      );
    return format;
  }

  #getMaxBytes(format: Format): number {
    const { imageBytes, videoBytes, fontBytes, pdfBytes } = this.context.limits;
    if (format === "video") return videoBytes;
    if (format === "font") return fontBytes;
    return format === "pdf" ? pdfBytes : imageBytes;
  }
}

function toContent(
  kind: AssetKind,
  bytes: Buffer,
  contentHash: string,
): AssetContent {
  const sizeBytes = bytes.length;
  return { kind, contentHash, sizeBytes, body: () => bytes, poster: null };
}

const variables: Record<Format, string> = {
  image: "PLATEN_ASSET_MAX_BYTES",
  svg: "PLATEN_ASSET_MAX_BYTES",
  video: "PLATEN_VIDEO_MAX_BYTES",
  font: "PLATEN_FONT_MAX_BYTES",
  pdf: "PLATEN_PDF_MAX_BYTES",
};

function tooLarge(format: Format, maxBytes: number): PlatenError {
  return new PlatenError(
    "too_large",
    `The ${format} is larger than the limit of ${maxBytes} bytes. Send a smaller one, or ask the operator to raise ${variables[format]}.`,
  );
}

function wrongType(message: string, hint: string): PlatenError {
  return new PlatenError(
    "invalid_request",
    "The file does not have the requested type.",
    { problems: [{ path: "$.assetType", code: "asset_type", message, hint }] },
  );
}

/** Ignores the file's name and declared type; null for an unsupported format. */
function detectFormat(head: Uint8Array): Format | null {
  // Readers accept the mark anywhere in the first 1024 bytes (ISO 32000-1, annex H); the service requires it first.
  if (toLatin1(head, 0, 5) === "%PDF-") return "pdf";
  if (detectFontFormat(head) !== null) return "font";
  const imageType = detectImageType(head);
  if (imageType !== null)
    return imageType === "image/svg+xml" ? "svg" : "image";
  // Matroska, which includes WebM, or the first box of an MP4 or QuickTime file.
  const isVideo =
    toLatin1(head, 0, 4) === "\x1aE\xdf\xa3" ||
    /^(ftyp|moov|mdat|wide)$/.test(toLatin1(head, 4, 8));
  return isVideo ? "video" : null;
}

function toLatin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, end)).toString("latin1");
}

const temporaryPrefix = ".upload-";

/** Removes temporary files of killed processes. */
export function removeLeftoverUploads(folder: string): Promise<void> {
  return removeLeftoverFiles(folder, temporaryPrefix);
}

class TemporaryFile implements ReadableFile {
  #size = 0;

  private constructor(private readonly handle: FileHandle) {}

  static async open(folder: string): Promise<TemporaryFile> {
    return new TemporaryFile(await openUnlinkedFile(folder, temporaryPrefix));
  }

  get sizeBytes(): number {
    return this.#size;
  }

  /** @throws PlatenError `unavailable` when the disk is full. */
  async append(bytes: Uint8Array): Promise<void> {
    await this.handle.writeFile(bytes).catch((cause: unknown) => {
      throw new PlatenError(
        "unavailable",
        "The service has no disk space for the file at the moment. Try again later.",
        { cause },
      );
    });
    this.#size += bytes.length;
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    const bytes = Buffer.alloc(end - start);
    const { bytesRead } = await this.handle.read(bytes, 0, end - start, start);
    return bytes.subarray(0, bytesRead);
  }

  /** The whole file; can be called again. */
  stream(): Readable {
    return this.handle.createReadStream({ start: 0, autoClose: false });
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}

/** Where an upload's bytes come from; exactly one is given. */
export interface UploadSource {
  /** Base64, or a data URL of it. */
  base64Data?: string | undefined;
  /** An https URL. */
  fileUrl?: string | undefined;
  /** A file on the caller's machine. */
  filePath?: string | undefined;
}

const sourceKinds = ["base64Data", "fileUrl", "filePath"] as const;

/** @throws PlatenError `invalid_request` unless exactly one source is given. */
export function parseSource(upload: UploadSource): {
  kind: (typeof sourceKinds)[number];
  value: string;
} {
  const given = sourceKinds.flatMap((kind) => {
    const value = upload[kind];
    return value === undefined ? [] : [{ kind, value }];
  });
  const [first] = given;
  if (first && given.length === 1) return first;
  const isMissing = given.length === 0;
  const kinds = isMissing ? sourceKinds : given.map(({ kind }) => kind);
  throw new PlatenError(
    "invalid_request",
    "An asset requires exactly one source: base64Data, fileUrl or filePath.",
    {
      problems: kinds.map((kind) => ({
        path: `$.${kind}`,
        code: "one_source",
        message: isMissing ? "is a possible source" : "is given too",
      })),
    },
  );
}

interface SourceOptions {
  limits: AssetLimits;
  outbound: Pick<Outbound, "fetch">;
  assetType: "image" | "video" | null;
  /** The folder in which files may be read. */
  root: string;
  signal: AbortSignal | undefined;
}

type Write = (bytes: Uint8Array) => Promise<void>;

/** Passes the bytes of a source to `write`. @throws PlatenError when they cannot be read. */
export async function readSource(
  { kind, value }: ReturnType<typeof parseSource>,
  write: Write,
  options: SourceOptions,
): Promise<void> {
  const maxBytes = getMaxBytes(options.limits, options.assetType);
  if (kind === "base64Data") await write(decodeBase64(value, maxBytes));
  else if (kind === "fileUrl") await fetchUrl(value, write, maxBytes, options);
  else await readFileWithin(options.root, value, write);
}

const maxRedirects = 3;

async function fetchUrl(
  url: string,
  write: Write,
  maxBytes: number,
  { limits, outbound, signal }: SourceOptions,
): Promise<void> {
  if (!limits.isFetching)
    throw new PlatenError(
      "invalid_request",
      "This service does not fetch files from URLs (PLATEN_FETCH_ASSETS is off). Send the file itself.",
    );
  const { status } = await outbound
    .fetch(url, {
      headers: { accept: "*/*", "user-agent": "Platen" },
      maxRedirects,
      timeoutMs: limits.fetchTimeoutMs,
      maxBytes,
      take: write,
      ...(signal && { signal }),
    })
    .catch(throwFileUrlError);
  if (status !== 200)
    throw new PlatenError("invalid_request", "Cannot fetch the file.", {
      problems: [
        {
          path: "$.fileUrl",
          code: "file_url",
          message: `${new URL(url).host} responded with status ${status}.`,
          hint: "Use a public URL of the file itself.",
        },
      ],
    });
}

/** Reports errors of the URL or its server as a problem of `fileUrl`. */
function throwFileUrlError(error: unknown): never {
  if (!(error instanceof PlatenError) || error.problems.length > 0) throw error;
  const { code, message, retryAfterSeconds } = error;
  throw new PlatenError(code, "Cannot fetch the file.", {
    cause: error,
    problems: [{ path: "$.fileUrl", code: "file_url", message }],
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** Also decodes base64url, line breaks and data URLs. */
function decodeBase64(text: string, maxBytes: number): Buffer {
  const head = /^data:[^,]{0,200},/i.exec(text)?.[0] ?? "";
  if (head !== "" && !/;\s*base64\s*,$/i.test(head))
    throw invalidBase64("is a data URL without base64.");
  // Checked before whitespace is removed, so that a text that is too long costs nothing.
  const rest = text.slice(head.length);
  if (rest.length > maxBytes * 1.5 + 1024)
    throw new PlatenError(
      "too_large",
      `The file is larger than the limit of ${maxBytes} bytes.`,
    );
  const base64 = rest.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(base64))
    throw invalidBase64("is not base64.");
  return Buffer.from(base64, "base64");
}

function invalidBase64(message: string): PlatenError {
  const hint = "Send the file as base64, either alone or in a data URL.";
  return new PlatenError("invalid_request", "Cannot read the file.", {
    problems: [{ path: "$.base64Data", code: "base64", message, hint }],
  });
}

async function readFileWithin(
  root: string,
  path: string,
  write: Write,
): Promise<void> {
  const handle = await openFileWithin(root, path);
  try {
    for await (const chunk of handle.createReadStream({ autoClose: false }))
      await write(chunk);
  } finally {
    await handle.close();
  }
}

/**
 * Opens a file that is inside `root` after all links are resolved.
 * @throws PlatenError `invalid_request`, which reveals nothing about files outside.
 */
async function openFileWithin(root: string, path: string): Promise<FileHandle> {
  const real = await resolveWithin(root, path);
  // Without O_NONBLOCK, opening a pipe would wait.
  const flags =
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = real && (await open(real, flags).catch(() => null));
  if (handle) {
    if (await isWithin(handle, root, path)) return handle;
    await handle.close();
  }
  throw new PlatenError("invalid_request", "Cannot read the file.", {
    problems: [
      {
        path: "$.filePath",
        code: "file_path",
        message: "is not a readable file in the allowed folder.",
        hint: "Use a path inside the folder with which the server was started.",
      },
    ],
  });
}

async function resolveWithin(
  root: string,
  path: string,
): Promise<string | null> {
  const base = await realpath(root);
  if (path.includes("\0")) return null;
  const real = await realpath(resolve(base, path)).catch(() => null);
  const prefix = base.endsWith(sep) ? base : base + sep;
  return real?.startsWith(prefix) ? real : null;
}

/** A parent folder may have become a link before the file was opened, so the open file is compared with its path. */
async function isWithin(
  handle: FileHandle,
  root: string,
  path: string,
): Promise<boolean> {
  const opened = await handle.stat();
  const real = await resolveWithin(root, path);
  const stats = real === null ? null : await stat(real).catch(() => null);
  return (
    opened.isFile() && stats?.ino === opened.ino && stats.dev === opened.dev
  );
}
