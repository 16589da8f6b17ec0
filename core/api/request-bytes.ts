import type { IncomingMessage } from "node:http";
import { PlatenError } from "../plugin-api/index.js";

/**
 * The bytes of a body that is a file, as they arrive. What is left of one that nobody reads to its end is thrown away,
 * so that the answer can be heard.
 * @throws PlatenError `invalid_request` for one that is packed or does not come whole.
 */
export async function* requestBytes(
  request: IncomingMessage,
): AsyncGenerator<Uint8Array> {
  const { "content-encoding": encoding = "identity" } = request.headers;
  if (encoding !== "identity") throw packed();
  const chunks: AsyncIterable<Uint8Array> = request.iterator({
    destroyOnReturn: false,
  });
  try {
    for await (const chunk of chunks) yield chunk;
  } catch (error) {
    throw broken(error);
  } finally {
    request.resume();
  }
}

function packed(): PlatenError {
  return new PlatenError(
    "invalid_request",
    "The file must come as it is, without content-encoding.",
  );
}

function broken(cause: unknown): PlatenError {
  return new PlatenError(
    "invalid_request",
    "The body ended before its announced length.",
    { cause },
  );
}
