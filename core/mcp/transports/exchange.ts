import type { IncomingMessage, ServerResponse } from "node:http";
import type { KeyHolder } from "../../accounts/index.js";
import { answeringTurns, MIN_TURN_LENGTH } from "../../lib/fair-queue.js";
import { assertUtf8 } from "../../lib/json.js";
import {
  type Log,
  parseLosslessJson,
  PlatenError,
} from "../../plugin-api/index.js";

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  log: Log;
  /** The client's IP address. */
  address: string;
  /** Called once the key was accepted. */
  onCaller: (caller: KeyHolder) => void;
}

/** A request of someone with a good key. */
export interface KeyedExchange extends Exchange {
  caller: KeyHolder;
}

/** One of a request's headers; empty when it is not there. */
export function getHeader({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? "";
}

/** A value of a request's query; null when it is not there. */
export function getQueryValue({ url = "" }: IncomingMessage, name: string) {
  const query = url.slice(url.indexOf("?") + 1);
  return url.includes("?") ? new URLSearchParams(query).get(name) : null;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify(body));
}

/** 405 for what an endpoint does not take. */
export function sendMethodNotAllowed(
  { request: { method }, response }: Exchange,
  allow: "GET" | "POST",
): void {
  const error = `This endpoint accepts ${allow}, not ${method ?? "this method"}.`;
  sendJson(response, 405, { error }, { allow });
}

/** What a body was, if it is not JSON. */
export const notJson = Symbol("not JSON");

/**
 * The JSON of a body, or `notJson`.
 * @throws PlatenError `unsupported_charset`, `too_large` past the limit, `invalid_request` for one that is packed or cut off. How deep it is
 * nested is checked by the tool's call, which can report it to the assistant.
 */
export async function readMessage(
  request: IncomingMessage,
  maxBytes: number,
): Promise<unknown> {
  assertUtf8(request.headers["content-type"]);
  const bytes = await readBody(request, maxBytes);
  if (bytes.length > MIN_TURN_LENGTH) await answeringTurns.take();
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return parseLosslessJson(text);
  } catch {
    return notJson;
  }
}

/** A body as it is. @throws PlatenError as `readMessage`. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity")
    throw new PlatenError(
      "invalid_request",
      "Send the body without content-encoding.",
    );
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    const stream: AsyncIterable<Buffer> = request.iterator({
      destroyOnReturn: false,
    });
    for await (const chunk of stream) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    throw new PlatenError(
      "invalid_request",
      "The message ended before its announced length.",
      { cause },
    );
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): PlatenError {
  return new PlatenError(
    "too_large",
    `The message is over the limit of ${maxBytes} bytes. Send less, or raise PLATEN_MAX_BODY_BYTES.`,
  );
}
