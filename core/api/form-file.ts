import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { PlatenError } from "../plugin-api/index.js";

/** The file of a form, and the fields that stand before it. */
export interface FormFile {
  fields: Record<string, string>;
  /** As the form says it; empty when it says none. */
  filename: string;
  bytes: AsyncIterable<Uint8Array>;
}

const LIMITS = { files: 1, fields: 10, fieldSize: 4096, parts: 11 };

/**
 * Reads a form (`multipart/form-data`) as it arrives and hands its first file on.
 * @throws PlatenError `invalid_request` for a form without a file or one that does not come whole, and whatever `take`
 * throws.
 */
export async function readFormFile<T>(
  request: IncomingMessage,
  take: (file: FormFile) => Promise<T>,
): Promise<T> {
  // Loaded by the first form: most who send files need none.
  const { Busboy } = await import("@fastify/busboy");
  const type = request.headers["content-type"] ?? "";
  const form = orBroken(
    () => new Busboy({ headers: { "content-type": type }, limits: LIMITS }),
  );
  const fields: Record<string, string> = {};
  const open: Readable[] = [];
  try {
    return await new Promise<T>((resolve, reject) => {
      form.on("field", (name, value) => (fields[name] = value));
      form.on("file", (_field, stream, filename) => {
        open.push(stream);
        // Whoever reads it hears of it; one that nobody reads must not end the process.
        stream.on("error", () => undefined);
        const bytes = wholeBytes(stream);
        take({ fields, filename: filename ?? "", bytes }).then(resolve, reject);
      });
      form.on("finish", () => open.length === 0 && reject(noFile()));
      form.on("error", (error) => reject(broken(error)));
      request.on("error", (error) => reject(broken(error)));
      request.pipe(form);
    });
  } finally {
    // Whoever still waits for the file is told that it does not come.
    for (const stream of open) stream.destroy(new Error("the form has ended"));
    request.unpipe(form);
    request.resume();
  }
}

async function* wholeBytes(stream: Readable): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterable<Uint8Array> = stream;
  try {
    for await (const chunk of chunks) yield chunk;
  } catch (error) {
    throw broken(error);
  }
}

function orBroken<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw broken(error);
  }
}

function noFile(): PlatenError {
  return new PlatenError(
    "invalid_request",
    "The form has no file. Send it as curl -F name=logo.png -F file=@logo.png does.",
  );
}

function broken(cause: unknown): PlatenError {
  return new PlatenError(
    "invalid_request",
    "The form is damaged, or ended before its announced length.",
    { cause },
  );
}
