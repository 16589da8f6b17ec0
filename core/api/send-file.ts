import type { Readable } from "node:stream";
import parseRange from "range-parser";
import type { ByteRange } from "../plugin-api/index.js";
import { PlatenError } from "../plugin-api/index.js";
import type { HttpContext } from "./middleware.js";

export interface SendableFile {
  mimeType: string;
  sizeBytes: number;
  /** Names these bytes; without quotes. */
  etag: string;
  /** null when the file has gone in the meantime. */
  open(range?: ByteRange): Promise<{ stream: Readable } | null>;
}

/** Answers GET and HEAD with the file, a single range of it, or 304: RFC 9110. */
export async function sendFile(
  ctx: HttpContext,
  file: SendableFile,
): Promise<void> {
  ctx.status = 200;
  ctx.type = file.mimeType;
  ctx.etag = file.etag;
  ctx.set("accept-ranges", "bytes");
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const range = requestedRange(ctx, file.sizeBytes);
  if (range === "unsatisfiable") refuseRange(ctx, file.sizeBytes);
  else await sendBytes(ctx, file, range);
}

async function sendBytes(
  ctx: HttpContext,
  file: SendableFile,
  range: ByteRange | null,
): Promise<void> {
  const { start, end } = range ?? { start: 0, end: file.sizeBytes - 1 };
  if (range) {
    ctx.status = 206;
    ctx.set("content-range", `bytes ${start}-${end}/${file.sizeBytes}`);
  }
  if (ctx.method !== "HEAD") {
    const opened = await file.open(range ?? undefined);
    if (!opened)
      throw new PlatenError("not_found", "There is no such file any more.");
    ctx.body = opened.stream;
    ctx.type = file.mimeType;
  }
  ctx.length = end - start + 1;
}

/** null for the whole file: no range, several of them, one that is no range, or one of an older file (`If-Range`). */
function requestedRange(
  ctx: HttpContext,
  sizeBytes: number,
): ByteRange | "unsatisfiable" | null {
  const header = ctx.get("range");
  const condition = ctx.get("if-range");
  if (
    header === "" ||
    (condition !== "" && condition !== ctx.response.get("etag"))
  )
    return null;
  const ranges = parseRange(sizeBytes, header, { combine: true });
  if (ranges === -1) return "unsatisfiable";
  if (ranges === -2 || ranges.type !== "bytes" || ranges.length !== 1)
    return null;
  return ranges[0] ?? null;
}

function refuseRange(ctx: HttpContext, sizeBytes: number): void {
  ctx.status = 416;
  ctx.set("content-range", `bytes */${sizeBytes}`);
  ctx.remove("content-disposition");
  ctx.type = "application/json";
  ctx.body = {
    error: `The file has ${sizeBytes} bytes; the range lies outside of them.`,
  };
}
