import type { Response } from "undici";
import { PlatenError } from "../contract/index.js";

/** Reads a body, already decompressed, no further than it is wanted: what a small one unpacks to is never all held. */
export async function readBody(
  { body }: Response,
  maxBytes: number,
  whenLarger: "refuse" | "cut",
): Promise<{ bytes: Buffer; isCut: boolean }> {
  if (body === null) return { bytes: Buffer.alloc(0), isCut: false };
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = asBytes(chunk);
    chunks.push(bytes.subarray(0, maxBytes - size));
    size += bytes.length;
    // Leaving the loop cancels the stream, and with it the connection.
    if (size > maxBytes && whenLarger === "refuse") throw tooLarge(maxBytes);
    if (size > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks), isCut: size > maxBytes };
}

function asBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError("a body is made of bytes");
}

function tooLarge(maxBytes: number): PlatenError {
  return new PlatenError(
    "too_large",
    `The answer is larger than ${maxBytes} bytes.`,
  );
}
