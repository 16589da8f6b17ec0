import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Busboy, BusboyConfig } from "@fastify/busboy";
import type { Compute } from "../compute/index.js";
import { watchWork } from "../lib/event-loop.js";
import {
  assertNotPacked,
  assertUtf8Charset,
  assertUtf8Escapes,
  type BodyLimit,
  readBodyBytes,
  readBodyText,
  readWholeBody,
} from "../lib/http-body.js";
import { parseJson } from "../lib/json.js";
import { openUnlinkedFile } from "../lib/unlinked-file.js";
import { Utf8Check } from "../lib/utf8.js";
import { PlatenError } from "../plugin-api/index.js";
import type { HttpContext } from "./middleware.js";

declare module "koa" {
  interface Request {
    /** JSON, once a reader has read it. */
    body?: unknown;
  }
}

/** @param textFields the body's fields that may become `JsonText` when it is long. */
export type JsonReader = (
  ctx: HttpContext,
  textFields?: readonly string[],
) => Promise<void>;

export type BodyParser = Pick<Compute, "parseBody">;

/**
 * Reads a JSON body into `ctx.request.body`, unless it is there already; without a body it is `{}`.
 * @param compute parses long bodies in a thread; without it, only small bodies are expected.
 */
export function createJsonReader(
  maxBytes: number,
  compute?: BodyParser,
): JsonReader {
  const limit = { maxBytes, advice: RAISE_BODY_BYTES };
  return async (ctx, textFields = []) => {
    if (ctx.request.body !== undefined) return;
    const text = hasBody(ctx) ? await readJsonText(ctx, limit) : "";
    if (text.trim() === "") ctx.request.body = {};
    else if (compute) {
      const organizationId = ctx.state.caller?.organizationId ?? "";
      const caller = { organizationId, subject: "The body of the request" };
      ctx.request.body = await compute.parseBody(text, textFields, caller);
    } else ctx.request.body = watchWork("parse request", () => parseJson(text));
  };
}

const RAISE_BODY_BYTES = "Send less, or raise PLATEN_MAX_BODY_BYTES.";

function hasBody(ctx: HttpContext): boolean {
  return (ctx.request.length ?? 0) > 0 || ctx.get("transfer-encoding") !== "";
}

async function readJsonText(
  ctx: HttpContext,
  limit: BodyLimit,
): Promise<string> {
  assertUtf8Charset(ctx.get("content-type"));
  if (!ctx.is("application/json", "+json"))
    throw notJsonType(ctx.get("content-type"));
  return readBodyText(ctx.req, limit);
}

const FORM_TYPE = "application/x-www-form-urlencoded";

/**
 * Reads a form as programs send it (`application/x-www-form-urlencoded`).
 * @throws PlatenError `invalid_request` for another type, `too_large` past the limit.
 */
export async function readProgramForm(
  ctx: HttpContext,
  maxBytes: number,
): Promise<URLSearchParams> {
  if (!ctx.is(FORM_TYPE))
    throw new PlatenError(
      "invalid_request",
      `The body must be a form, sent with "Content-Type: ${FORM_TYPE}".`,
    );
  return readPlainForm(ctx, { maxBytes, advice: RAISE_BODY_BYTES });
}

async function readPlainForm(
  ctx: HttpContext,
  limit: BodyLimit,
): Promise<URLSearchParams> {
  const text = await readBodyText(ctx.req, limit);
  assertUtf8Escapes(text, "form");
  return new URLSearchParams(text);
}

function notJsonType(type: string | undefined): PlatenError {
  return new PlatenError(
    "invalid_request",
    `The body must be JSON, sent with "Content-Type: application/json"; it came as ${type || "nothing"}.`,
  );
}

/**
 * The bytes of a JSON body, unpacked, as they arrive.
 * @throws PlatenError `invalid_request` for another type and for bytes that are not UTF-8; otherwise as `readBodyBytes`
 */
export async function* readJsonBytes(
  request: IncomingMessage,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const type = request.headers["content-type"];
  if (!/^application\/(?:json|[^\s;]+\+json)\s*(?:;|$)/i.test(type ?? ""))
    throw notJsonType(type);
  assertUtf8Charset(type);
  const check = new Utf8Check();
  const advice = "Send several batches, or raise PLATEN_MAX_BATCH_BODY_BYTES.";
  for await (const chunk of readBodyBytes(request, { maxBytes, advice })) {
    check.add(chunk);
    yield chunk;
  }
  check.end();
}

/** The bytes of a body that is a file, as they arrive, unpacked. Its reader limits their size. @throws as `readBodyBytes` */
export function readFileBytes(request: IncomingMessage): AsyncIterable<Buffer> {
  const limit = { maxBytes: Infinity, advice: "", subject: "The file" };
  return readBodyBytes(request, limit);
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
            if (isDamaged(name + value)) reject(damagedText(`field "${name}"`));
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
            if (isDamaged(fileName)) reject(damagedText("file name"));
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
  assertNotPacked(request, "A form with files");
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
        form.on("field", (name, value) => {
          fields[name] = value;
          if (isDamaged(name + value)) reject(damagedText(`field "${name}"`));
        });
        form.on("file", (_field, stream, filename) => {
          hasFile = true;
          open(stream);
          if (isDamaged(filename)) reject(damagedText("file name"));
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

/** The parser of forms replaces bytes that are not UTF-8. */
function isDamaged(text: string | undefined): boolean {
  return text?.includes("\uFFFD") ?? false;
}

function damagedText(what: string): PlatenError {
  return new PlatenError(
    "invalid_request",
    `The form's ${what} is not UTF-8, or has the character U+FFFD, which stands for damaged text. Encode it in UTF-8.`,
  );
}

function brokenForm(cause: unknown): PlatenError {
  return new PlatenError(
    "invalid_request",
    "The form is damaged, or ended before its announced length.",
    { cause },
  );
}

/** A field of a posted form; empty when it is not there. */
export async function formField(
  ctx: HttpContext,
  name: string,
): Promise<string> {
  return (await formFields(ctx)).get(name) ?? "";
}

const MAX_FORM_BYTES = 1_048_576;

/** All of them; those that came more than once are left out. Empty for a body that is not a form. */
export async function formFields(
  ctx: HttpContext,
): Promise<ReadonlyMap<string, string>> {
  if (!ctx.is(FORM_TYPE)) return new Map();
  const limit = { maxBytes: MAX_FORM_BYTES, advice: "Send less." };
  const fields = await readPlainForm(ctx, limit);
  return new Map(
    [...fields].filter(([name]) => fields.getAll(name).length === 1),
  );
}

const MAX_NOTICE_BYTES = 1_048_576;

/** What another service reports to us, as it came: its proof is over the bytes. @throws PlatenError as `readBodyBytes` */
export async function readNotice(
  ctx: HttpContext,
): Promise<{ body: Uint8Array; headers: Record<string, string> }> {
  const body = await readWholeBody(ctx.req, {
    maxBytes: MAX_NOTICE_BYTES,
    advice: "Send less.",
    subject: "The notice",
  });
  return { body, headers: toHeaders(ctx) };
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
