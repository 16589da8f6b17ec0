import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { createGunzip, createInflate } from "node:zlib";
import type { Busboy, BusboyConfig } from "@fastify/busboy";
import { bodyParser } from "@koa/bodyparser";
import type { Compute } from "../compute/index.js";
import { watchWork } from "../lib/event-loop.js";
import { assertUtf8, parseJson } from "../lib/json.js";
import { openUnlinkedFile } from "../lib/unlinked-file.js";
import { PlatenError } from "../plugin-api/index.js";
import type { HttpContext } from "./middleware.js";

/** @param textFields the body's fields that may become `JsonText` when it is long. */
export type JsonReader = (
  ctx: HttpContext,
  textFields?: readonly string[],
) => Promise<void>;

export type BodyParser = Pick<Compute, "parseBody">;

/**
 * Reads a JSON body into `ctx.request.body`, unless it is there already; without a body it is `{}`. The library reads the
 * text (with its limit and inflation) and we parse it: its own JSON mode would refuse `__proto__` without saying where it
 * stands.
 * @param compute parses long bodies in a thread; without it, only small bodies are expected.
 */
export function createJsonReader(
  maxBytes: number,
  compute?: BodyParser,
): JsonReader {
  const readText = bodyParser({
    enableTypes: ["text"],
    extendTypes: { text: ["application/json", "+json"] },
    textLimit: maxBytes,
    onError: (error) => {
      throw readError(error, maxBytes);
    },
  });
  return async (ctx, textFields = []) => {
    if (ctx.request.body !== undefined) return;
    assertUtf8(ctx.get("content-type"));
    await readText(ctx, async () => {});
    const text = getText(ctx);
    if (text.trim() === "") ctx.request.body = {};
    else if (compute) {
      const organizationId = ctx.state.caller?.organizationId ?? "";
      const caller = { organizationId, subject: "The body of the request" };
      ctx.request.body = await compute.parseBody(text, textFields, caller);
    } else ctx.request.body = watchWork("parse request", () => parseJson(text));
  };
}

/**
 * Reads a form as programs send it (`application/x-www-form-urlencoded`).
 * @throws PlatenError `invalid_request` for another type, `too_large` past the limit.
 */
export function createFormReader(
  maxBytes: number,
): (ctx: HttpContext) => Promise<URLSearchParams> {
  const type = "application/x-www-form-urlencoded";
  const readText = bodyParser({
    enableTypes: ["text"],
    extendTypes: { text: [type] },
    textLimit: maxBytes,
    onError: (error) => {
      throw readError(error, maxBytes);
    },
  });
  return async (ctx) => {
    assertUtf8(ctx.get("content-type"));
    if (!ctx.is(type))
      throw new PlatenError(
        "invalid_request",
        `The body must be a form, sent with "Content-Type: ${type}".`,
      );
    await readText(ctx, async () => {});
    const text: unknown = ctx.request.body;
    return new URLSearchParams(typeof text === "string" ? text : "");
  };
}

/** The text that the library has read; empty without a body. */
function getText(ctx: HttpContext): string {
  const text: unknown = ctx.request.body;
  if (typeof text === "string") return text;
  const hasBody =
    (ctx.request.length ?? 0) > 0 || ctx.get("transfer-encoding") !== "";
  if (hasBody) throw notJsonType(ctx.get("content-type"));
  return "";
}

function notJsonType(type: string | undefined): PlatenError {
  return new PlatenError(
    "invalid_request",
    `The body must be JSON, sent with "Content-Type: application/json"; it came as ${type || "nothing"}.`,
  );
}

function readError(error: Error, maxBytes: number): PlatenError {
  const type = "type" in error ? error.type : null;
  const isUnknownEncoding = "status" in error && error.status === 415;
  if (type === "entity.too.large")
    return new PlatenError(
      "too_large",
      `The body is over the limit of ${maxBytes} bytes. Send less, or raise PLATEN_MAX_BODY_BYTES.`,
    );
  if (type === "request.aborted" || type === "request.size.invalid")
    return new PlatenError(
      "invalid_request",
      "The body ended before its announced length.",
    );
  const text = isUnknownEncoding
    ? "Unsupported content-encoding. Use gzip, deflate or none."
    : "The body could not be read.";
  return new PlatenError("invalid_request", text, { cause: error });
}

/**
 * The bytes of a JSON body, unpacked, as they arrive. The server drops what is left of a body that is not read to its
 * end.
 * @throws PlatenError `invalid_request` for another type or packing, `unsupported_charset`, `too_large` past the limit.
 */
export async function* jsonBytes(
  request: IncomingMessage,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const type = request.headers["content-type"];
  if (!/^application\/(?:json|[^\s;]+\+json)\s*(?:;|$)/i.test(type ?? ""))
    throw notJsonType(type);
  assertUtf8(type);
  let size = 0;
  const chunks: AsyncIterable<Uint8Array> = unpacked(request).iterator({
    destroyOnReturn: false,
  });
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > maxBytes)
        throw new PlatenError(
          "too_large",
          `The body is over the limit of ${maxBytes} bytes. Send several batches, or raise PLATEN_MAX_BATCH_BODY_BYTES.`,
        );
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    throw new PlatenError(
      "invalid_request",
      "The body ended before its announced length, or its compression is damaged.",
      { cause },
    );
  }
}

function unpacked(request: IncomingMessage): Readable {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return request;
  const unpack = unpackers[encoding];
  if (unpack === undefined)
    throw new PlatenError(
      "invalid_request",
      "Unsupported content-encoding. Use gzip, deflate or none.",
    );
  const plain = unpack();
  request.on("error", (error) => plain.destroy(error));
  return request.pipe(plain);
}

const unpackers: Record<string, () => Transform> = {
  gzip: createGunzip,
  deflate: createInflate,
};

/**
 * The bytes of a body that is a file, as they arrive. What is left of one that nobody reads to its end is thrown away,
 * so that the answer can be heard.
 * @throws PlatenError `invalid_request` for one that is packed or does not come whole.
 */
export async function* requestBytes(
  request: IncomingMessage,
): AsyncGenerator<Uint8Array> {
  const { "content-encoding": encoding = "identity" } = request.headers;
  if (encoding !== "identity")
    throw new PlatenError(
      "invalid_request",
      "Send the file without content-encoding.",
    );
  const chunks: AsyncIterable<Uint8Array> = request.iterator({
    destroyOnReturn: false,
  });
  try {
    yield* chunks;
  } catch (cause) {
    throw new PlatenError(
      "invalid_request",
      "The body ended before its announced length.",
      { cause },
    );
  } finally {
    request.resume();
  }
}

/** The file of a form, and the fields that stand before it. */
interface FormFile {
  fields: Record<string, string>;
  /** As the form says it; empty when it says none. */
  filename: string;
  bytes: AsyncIterable<Uint8Array>;
}

const formLimits = { files: 1, fields: 10, fieldSize: 4096, parts: 11 };

/** A file of a form, in a temporary file without a name. */
export interface SpooledFile {
  fileName: string;
  handle: FileHandle;
  /** SHA-256 of its bytes, in hex. */
  hash: string;
}

export interface SpooledForm {
  fields: Record<string, string>;
  files: Map<string, SpooledFile>;
}

/**
 * Reads a form (`multipart/form-data`) with its files, in any order, and hands it on; afterwards its files are gone.
 * @param names of the files that it may have.
 * @throws PlatenError `invalid_request` for another type, an unknown file, and a form that does not come whole, `too_large`
 * past `maxBytes` for all files together, and whatever `take` throws.
 */
export async function readFileForm<T>(
  request: IncomingMessage,
  {
    folder,
    maxBytes,
    names,
  }: { folder: string; maxBytes: number; names: readonly string[] },
  take: (form: SpooledForm) => Promise<T>,
): Promise<T> {
  const type = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\b/i.test(type))
    throw new PlatenError(
      "invalid_request",
      "The body must be a form with a file. Send it as curl -F file=@orders.csv -F 'request={ … }' does.",
    );
  const files = new Map<string, SpooledFile>();
  const fields: Record<string, string> = {};
  let size = 0;
  const spool = async (
    name: string,
    fileName: string,
    bytes: AsyncIterable<Uint8Array>,
  ) => {
    if (!names.includes(name) || files.has(name))
      throw new PlatenError(
        "invalid_request",
        `The form has an unexpected file "${name}". Name it "${names.join('" or "')}", each once.`,
      );
    const handle = await openUnlinkedFile(folder, uploadPrefix);
    const file = { fileName, handle, hash: "" };
    files.set(name, file);
    const hash = createHash("sha256");
    for await (const chunk of bytes) {
      size += chunk.byteLength;
      if (size > maxBytes)
        throw new PlatenError(
          "too_large",
          `The file is over the limit of ${maxBytes} bytes. Split it, or raise PLATEN_MAX_BATCH_BODY_BYTES.`,
        );
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    file.hash = hash.digest("hex");
  };
  try {
    await readForm(
      request,
      { files: names.length, fields: 10, fieldSize: 1_048_576, parts: 12 },
      (form, open) =>
        new Promise<void>((resolve, reject) => {
          const running: Promise<void>[] = [];
          form.on("field", (name, value, _nameCut, isCut) => {
            fields[name] = value;
            if (isCut)
              reject(
                new PlatenError(
                  "too_large",
                  `The form's field "${name}" is longer than 1 MB.`,
                ),
              );
          });
          form.on("file", (name, stream, fileName) => {
            open(stream);
            const done = spool(name, fileName ?? "", wholeBytes(stream));
            running.push(done);
            done.catch(reject);
          });
          form.on("filesLimit", () =>
            reject(
              new PlatenError(
                "invalid_request",
                `The form has more than ${names.length} files.`,
              ),
            ),
          );
          form.on("finish", () => {
            Promise.all(running).then(() => resolve(), reject);
          });
          form.on("error", (error) => reject(brokenForm(error)));
          request.on("error", (error) => reject(brokenForm(error)));
        }),
    );
    return await take({ fields, files });
  } finally {
    for (const { handle } of files.values())
      await handle.close().catch(() => undefined);
  }
}

/** Of the temporary files of uploads. */
const uploadPrefix = ".upload-";

type Form = InstanceType<typeof Busboy>;

/** Parses a form while `listen` runs. @param listen is given the form, and tells what streams it has opened. */
async function readForm<T>(
  request: IncomingMessage,
  limits: BusboyConfig["limits"],
  listen: (form: Form, open: (stream: Readable) => void) => Promise<T>,
): Promise<T> {
  // Loaded by the first form: most who send files need none.
  const { Busboy: FormParser } = await import("@fastify/busboy");
  const type = request.headers["content-type"] ?? "";
  let form: Form;
  try {
    form = new FormParser({
      headers: { "content-type": type },
      ...(limits && { limits }),
    });
  } catch (error) {
    throw brokenForm(error);
  }
  const streams: Readable[] = [];
  try {
    const done = listen(form, (stream) => {
      streams.push(stream);
      // Its reader gets the error; without a reader, the event must not end the process.
      stream.on("error", () => undefined);
    });
    request.pipe(form);
    return await done;
  } finally {
    // Ends a reader that still waits for the file.
    for (const stream of streams)
      stream.destroy(new Error("the form has ended"));
    request.unpipe(form);
    request.resume();
  }
}

/**
 * Reads a form (`multipart/form-data`) as it arrives and hands its first file on.
 * @throws PlatenError `invalid_request` for a form without a file or one that does not come whole, and whatever `take`
 * throws.
 */
export async function readFormFile<T>(
  request: IncomingMessage,
  take: (file: FormFile) => Promise<T>,
): Promise<T> {
  const fields: Record<string, string> = {};
  return readForm(
    request,
    formLimits,
    (form, open) =>
      new Promise<T>((resolve, reject) => {
        let hasFile = false;
        form.on("field", (name, value) => (fields[name] = value));
        form.on("file", (_field, stream, filename) => {
          hasFile = true;
          open(stream);
          const bytes = wholeBytes(stream);
          take({ fields, filename: filename ?? "", bytes }).then(
            resolve,
            reject,
          );
        });
        form.on("finish", () => {
          if (!hasFile)
            reject(
              new PlatenError(
                "invalid_request",
                "The form has no file. Send it as curl -F name=logo.png -F file=@logo.png does.",
              ),
            );
        });
        form.on("error", (error) => reject(brokenForm(error)));
        request.on("error", (error) => reject(brokenForm(error)));
      }),
  );
}

async function* wholeBytes(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw brokenForm(error);
  }
}

function brokenForm(cause: unknown): PlatenError {
  return new PlatenError(
    "invalid_request",
    "The form is damaged, or ended before its announced length.",
    { cause },
  );
}

const readFields = bodyParser({
  enableTypes: ["form"],
  formLimit: 1_048_576,
  onError: (cause) => {
    throw new PlatenError("too_large", "The form could not be read.", {
      cause,
    });
  },
});

/** A field of a posted form; empty when it is not there. */
export async function formField(
  ctx: HttpContext,
  name: string,
): Promise<string> {
  return (await formFields(ctx)).get(name) ?? "";
}

/** All of them; those that came more than once are left out. */
export async function formFields(
  ctx: HttpContext,
): Promise<ReadonlyMap<string, string>> {
  await readFields(ctx, async () => {});
  const body: unknown = ctx.request.body;
  return new Map(
    Object.entries(Object(body)).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    ),
  );
}

const maxNoticeBytes = 1_048_576;

/** What another service reports to us, as it came: its proof is over the bytes. @throws PlatenError `too_large`. */
export async function readNotice(
  ctx: HttpContext,
): Promise<{ body: Uint8Array; headers: Record<string, string> }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // What is left of one that is too long is dropped with its connection, once it is answered.
  const body: AsyncIterable<Uint8Array> = ctx.req.iterator({
    destroyOnReturn: false,
  });
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxNoticeBytes)
      throw new PlatenError(
        "too_large",
        `A notice has at most ${maxNoticeBytes} bytes.`,
      );
    chunks.push(chunk);
  }
  return { body: Buffer.concat(chunks), headers: toHeaders(ctx) };
}

/** Of those that came several times, the last: a proof comes once. */
function toHeaders(ctx: HttpContext): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ctx.req.headers).flatMap(([name, value]) => {
      const text = Array.isArray(value) ? value.at(-1) : value;
      return text === undefined ? [] : [[name, text]];
    }),
  );
}
