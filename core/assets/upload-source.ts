import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import type { Outbound } from "../lib/outbound/index.js";
import { PlatenError } from "../plugin-api/index.js";
import { type AssetLimits, getMaxBytes } from "./context.js";

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

export interface SourceOptions {
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
  const found = real === null ? null : await stat(real).catch(() => null);
  return (
    opened.isFile() && found?.ino === opened.ino && found.dev === opened.dev
  );
}
