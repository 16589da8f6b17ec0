import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { PlatenError } from "../plugin-api/index.js";
import { decodeUtf8 } from "./utf8.js";

// The bodies of requests: unpacked, within a limit, and UTF-8 where they are text.

export interface BodyLimit {
  /** Of the unpacked body. */
  maxBytes: number;
  /** What to do about a body over the limit, as a sentence. */
  advice: string;
  /** What errors call the body, such as "The message". */
  subject?: string;
}

const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The bytes of a body as they arrive, unpacked. The server drops what is left of a body that is not read to its end.
 * @throws PlatenError `unsupported_encoding`, `too_large` past the limit, `invalid_request` for a body that is damaged or
 * cut off
 */
export async function* readBodyBytes(
  request: IncomingMessage,
  { maxBytes, advice, subject = "The body" }: BodyLimit,
): AsyncGenerator<Buffer> {
  const tooLarge = () =>
    new PlatenError(
      "too_large",
      `${subject} is over the limit of ${maxBytes} bytes. ${advice}`,
    );
  if (Number(request.headers["content-length"] ?? 0) > maxBytes)
    throw tooLarge();
  const unpack = findUnpacker(request);
  const plain = unpack ? unpackWith(unpack(), request) : request;
  const chunks: AsyncIterable<Buffer> = plain.iterator({
    destroyOnReturn: plain !== request,
  });
  let size = 0;
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge();
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    const reason = unpack ? ", or its compression is damaged" : "";
    throw new PlatenError(
      "invalid_request",
      `${subject} ended before its announced length${reason}.`,
      { cause },
    );
  }
}

/** Null for a body that is not packed. */
function findUnpacker(request: IncomingMessage): (() => Transform) | null {
  const encoding = request.headers["content-encoding"] ?? "";
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return null;
  const unpack = unpackers[name];
  if (unpack && Object.hasOwn(unpackers, name)) return unpack;
  throw new PlatenError(
    "unsupported_encoding",
    `The Content-Encoding ${JSON.stringify(encoding.slice(0, 40))} is not supported. Use gzip, deflate, br or none.`,
  );
}

/** @throws PlatenError `unsupported_encoding` for a body that is packed. */
export function assertNotPacked(
  request: IncomingMessage,
  subject: string,
): void {
  if (findUnpacker(request) === null) return;
  throw new PlatenError(
    "unsupported_encoding",
    `${subject} cannot be compressed as a whole. Send it without Content-Encoding.`,
  );
}

function unpackWith(plain: Transform, request: IncomingMessage): Readable {
  request.on("error", (error) => plain.destroy(error));
  return request.pipe(plain);
}

/** A whole body. @throws PlatenError as `readBodyBytes` */
export async function readWholeBody(
  request: IncomingMessage,
  limit: BodyLimit,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBodyBytes(request, limit)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A whole body of text. @throws PlatenError as `readBodyBytes`, and `invalid_request` for bytes that are not UTF-8 */
export async function readBodyText(
  request: IncomingMessage,
  limit: BodyLimit,
): Promise<string> {
  assertUtf8Charset(request.headers["content-type"]);
  return decodeUtf8(await readWholeBody(request, limit), limit.subject);
}

const percentEncoded = /(?:%[0-9a-f]{2})+/gi;

/**
 * @param subject what has the text, such as "query"
 * @throws PlatenError `invalid_request` for bytes that are not UTF-8, which parsers replace by U+FFFD
 */
export function assertUtf8Escapes(text: string, subject: string): void {
  for (const [bytes] of text.matchAll(percentEncoded))
    try {
      decodeURIComponent(bytes);
    } catch {
      throw new PlatenError(
        "invalid_request",
        `Invalid ${subject}. ${bytes.slice(0, 30)} is not UTF-8. Encode the text in UTF-8 before its bytes are written as %….`,
      );
    }
}

/** @throws PlatenError `unsupported_encoding` for a Content-Type with another charset than UTF-8. */
export function assertUtf8Charset(contentType: string | undefined): void {
  const charset = /;\s*charset\s*=\s*"?([^";]*)/i.exec(contentType ?? "")?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset.trim())) return;
  throw new PlatenError(
    "unsupported_encoding",
    `The body must be encoded in UTF-8, but its Content-Type names the charset ${JSON.stringify(charset.trim().slice(0, 40))}. ` +
      "Send UTF-8, with the header Content-Type: application/json.",
  );
}
