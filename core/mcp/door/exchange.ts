import type { IncomingMessage, ServerResponse } from "node:http";
import type { KeyHolder } from "../../accounts/index.js";
import type { Log } from "../../plugin-api/index.js";

/** A request and its answer. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  log: Log;
}

/** A request of someone with a good key. */
export interface KeyedExchange extends Exchange {
  caller: KeyHolder;
}

/** One of a request's headers; empty when it is not there. */
export function header({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? "";
}

/** A value of a request's query; null when it is not there. */
export function queryValue({ url = "" }: IncomingMessage, name: string) {
  const query = url.slice(url.indexOf("?") + 1);
  return url.includes("?") ? new URLSearchParams(query).get(name) : null;
}

/** Answers with a body of JSON, and nothing else. */
export function answerJson(
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
export function answerMethod(
  { request: { method }, response }: Exchange,
  allow: "GET" | "POST",
): void {
  const error = `This address takes ${allow}, not ${method ?? "this"}.`;
  answerJson(response, 405, { error }, { allow });
}
