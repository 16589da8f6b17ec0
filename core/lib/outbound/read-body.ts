import type { Response } from "undici";
import { PlatenError } from "../../plugin-api/index.js";

/**
 * Reads a body, already decompressed, no further than it is wanted: what a small one unpacks to is never all held. With
 * `cut`, one that does not come to its end is cut where it stopped.
 */
export async function readBody(
  { body }: Response,
  maxBytes: number,
  whenLarger: "refuse" | "cut",
): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  try {
    const size = await collect(body, chunks, maxBytes, whenLarger);
    return { bytes: Buffer.concat(chunks), isCut: size > maxBytes };
  } catch (error) {
    if (whenLarger === "refuse") throw error;
    return { bytes: Buffer.concat(chunks), isCut: true };
  }
}

/** Hands a body on as it arrives, already decompressed. @throws PlatenError `too_large`, and whatever `take` throws. */
export async function passBody(
  { body }: Response,
  maxBytes: number,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  let size = 0;
  for await (const chunk of body ?? []) {
    const bytes = asBytes(chunk);
    size += bytes.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    await take(bytes);
  }
}

/** @returns how many bytes came; one that says too many may not have been read to its end. */
async function collect(
  body: Response["body"],
  chunks: Uint8Array[],
  maxBytes: number,
  whenLarger: "refuse" | "cut",
): Promise<number> {
  let size = 0;
  for await (const chunk of body ?? []) {
    const bytes = asBytes(chunk);
    chunks.push(bytes.subarray(0, maxBytes - size));
    size += bytes.length;
    // Leaving the loop cancels the stream, and with it the connection.
    if (size > maxBytes && whenLarger === "refuse") throw tooLarge(maxBytes);
    if (size > maxBytes) break;
  }
  return size;
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
