import type { IncomingMessage, ServerResponse } from "node:http";
import type { KeyHolder } from "../../accounts/index.js";
import { answeringTurns, MIN_TURN_LENGTH } from "../../lib/fair-queue.js";
import {
  assertUtf8Charset,
  type BodyLimit,
  readWholeBody,
} from "../../lib/http-body.js";
import { decodeUtf8 } from "../../lib/utf8.js";
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

/** A body that is not UTF-8 or not JSON. */
export class UnreadableMessage {
  constructor(readonly reason: string) {}
}

/**
 * The JSON of a body, or an `UnreadableMessage`. How deep it is nested is checked by the tool's call, which can report it
 * to the assistant.
 * @throws PlatenError `unsupported_encoding`, `too_large` past the limit, `invalid_request` for one that is cut off
 */
export async function readMessage(
  request: IncomingMessage,
  maxBytes: number,
): Promise<unknown> {
  assertUtf8Charset(request.headers["content-type"]);
  const bytes = await readBody(request, maxBytes);
  if (bytes.length > MIN_TURN_LENGTH) await answeringTurns.take();
  try {
    return parseLosslessJson(decodeUtf8(bytes));
  } catch (error) {
    return new UnreadableMessage(
      error instanceof PlatenError
        ? error.message
        : "The body is not valid JSON.",
    );
  }
}

/** A body as it is. @throws PlatenError as `readMessage`. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer> {
  return readWholeBody(request, limitOf(maxBytes));
}

function limitOf(maxBytes: number): BodyLimit {
  const advice = "Send less, or raise PLATEN_MAX_BODY_BYTES.";
  return { maxBytes, advice, subject: "The message" };
}
