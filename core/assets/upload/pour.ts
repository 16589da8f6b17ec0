import { PlatenError } from "../../plugin-api/index.js";
import type { Outbound } from "../../lib/outbound/index.js";
import { type AssetLimits, mostBytes } from "../asset-limits.js";
import { base64Bytes } from "./base64-bytes.js";
import { openFileWithin } from "./file-within.js";
import type { Intake } from "./intake.js";
import type { OneSource } from "./one-source.js";

const REDIRECTS = 3;

export interface PourOptions {
  limits: AssetLimits;
  outbound: Pick<Outbound, "fetch">;
  assetType: "image" | "video" | null;
  /** The folder within which files may be read. */
  root: string;
  signal: AbortSignal | undefined;
}

/** Brings the bytes of a source. @throws PlatenError that says why they cannot be had. */
export async function pour(
  { kind, value }: OneSource,
  intake: Pick<Intake, "write">,
  options: PourOptions,
): Promise<void> {
  const { limits, assetType, root } = options;
  const most = mostBytes(limits, assetType);
  if (kind === "base64Data") await intake.write(base64Bytes(value, most));
  else if (kind === "fileUrl") await fetchInto(value, intake, most, options);
  else await readInto(root, value, intake);
}

async function fetchInto(
  url: string,
  intake: Pick<Intake, "write">,
  maxBytes: number,
  { limits, outbound, signal }: PourOptions,
): Promise<void> {
  if (!limits.isFetching) throw fetchesNothing();
  const { status } = await outbound
    .fetch(url, {
      headers: { accept: "*/*", "user-agent": "Platen" },
      maxRedirects: REDIRECTS,
      timeoutMs: limits.fetchTimeoutMs,
      maxBytes,
      take: (chunk) => intake.write(chunk),
      ...(signal && { signal }),
    })
    .catch(atFileUrl);
  if (status !== 200) throw otherStatus(url, status);
}

async function readInto(
  root: string,
  path: string,
  intake: Pick<Intake, "write">,
): Promise<void> {
  const handle = await openFileWithin(root, path);
  try {
    for await (const chunk of handle.createReadStream({ autoClose: false }))
      await intake.write(chunk);
  } finally {
    await handle.close();
  }
}

/** What is wrong with the address, or with what it leads to, is told as a problem of `fileUrl`. */
function atFileUrl(error: unknown): never {
  if (!(error instanceof PlatenError) || error.problems.length > 0) throw error;
  const { code, message, retryAfterSeconds } = error;
  throw new PlatenError(code, "The file could not be fetched.", {
    cause: error,
    problems: [{ path: "$.fileUrl", code: "file_url", message }],
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function fetchesNothing(): PlatenError {
  return new PlatenError(
    "invalid_request",
    "Files are not fetched from other machines here (PLATEN_FETCH_ASSETS is off). Send the file itself.",
  );
}

function otherStatus(url: string, status: number): PlatenError {
  return new PlatenError("invalid_request", "The file could not be fetched.", {
    problems: [
      {
        path: "$.fileUrl",
        code: "file_url",
        message: `${new URL(url).host} answered with status ${status}.`,
        hint: "Give the address of the file itself, which anybody can open.",
      },
    ],
  });
}
