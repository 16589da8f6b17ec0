import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { createGunzip, createInflate } from "node:zlib";
import { PlatenError } from "../plugin-api/index.js";

/**
 * The bytes of a JSON body, unpacked, as they arrive. The server drops what is left of a body that is not read to its
 * end.
 * @throws PlatenError `invalid_request` for another type or packing, `too_large` past the limit.
 */
export async function* jsonBytes(
  request: IncomingMessage,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  requireJson(request);
  let size = 0;
  const chunks: AsyncIterable<Uint8Array> = unpacked(request).iterator({
    destroyOnReturn: false,
  });
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof PlatenError ? error : broken(error);
  }
}

function requireJson({ headers }: IncomingMessage): void {
  const type = headers["content-type"] ?? "nothing";
  if (/^application\/(?:json|[^\s;]+\+json)\s*(?:;|$)/i.test(type)) return;
  throw new PlatenError(
    "invalid_request",
    `The body must be JSON, sent with "Content-Type: application/json"; it came as ${type}.`,
  );
}

function unpacked(request: IncomingMessage): Readable {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return request;
  const unpack = unpackers[encoding];
  if (unpack === undefined)
    throw new PlatenError(
      "invalid_request",
      "The body's content-encoding is not known. Use gzip, deflate or none.",
    );
  const plain = unpack();
  request.on("error", (error) => plain.destroy(error));
  return request.pipe(plain);
}

const unpackers: Record<string, () => Transform> = {
  gzip: createGunzip,
  deflate: createInflate,
};

function tooLarge(maxBytes: number): PlatenError {
  return new PlatenError(
    "too_large",
    `The body is over the limit of ${maxBytes} bytes. Send several batches, or raise PLATEN_MAX_BATCH_BODY_BYTES.`,
  );
}

function broken(cause: unknown): PlatenError {
  return new PlatenError(
    "invalid_request",
    "The body ended before its announced length, or its packing is broken.",
    { cause },
  );
}
