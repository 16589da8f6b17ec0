import { signal } from "@preact/signals";
import type { AppProfile } from "../../../../core/plugin-api/app-plugin.js";
import { base, leaveToSignIn } from "./router.js";

/** What the service answered instead: its words are meant for people. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Asks the studio's own routes, below `studio/api`. */
export function ask<T>(
  at: string,
  method?: Method,
  body?: unknown,
): Promise<T> {
  return send(`${base}api/${at}`, method, body);
}

/** Asks the studio's own routes for something that is no JSON. */
export async function askBytes(
  at: string,
  body: unknown,
  signal: AbortSignal,
): Promise<Blob> {
  const init = { ...jsonInit("POST", body), signal };
  const response = await fetch(`${base}api/${at}`, init).catch(
    (reason: unknown) => {
      if (signal.aborted) throw reason;
      throw unreachable();
    },
  );
  noteAnswer(response.status);
  if (response.ok) return response.blob();
  const answer = await read(response);
  throw new Refusal(response.status, errorOf(answer, response.status));
}

/** A last request of a page that goes: small ones arrive all the same, and nobody hears the answer. */
export function askLast(at: string, method: Method, body: unknown): void {
  const init = { ...jsonInit(method, body), keepalive: true };
  void fetch(`${base}api/${at}`, init).catch(() => undefined);
}

/** Asks the public API. */
export function askPublic<T>(
  at: string,
  method?: Method,
  body?: unknown,
): Promise<T> {
  return send(publicAddress(at), method, body);
}

/** Where the public API has something. */
export function publicAddress(at: string): string {
  return base.replace(/[^/]+\/$/, `api/${at}`);
}

async function send<T>(
  url: string,
  method: Method = "GET",
  body?: unknown,
): Promise<T> {
  const response = await fetch(url, jsonInit(method, body)).catch(() => {
    throw unreachable();
  });
  noteAnswer(response.status);
  return answerOf(response);
}

/** Asks the studio's own routes as whoever is signed in now, whose page this may not be. */
export async function askAsWhoever<T>(
  at: string,
  method: Method = "GET",
  body?: unknown,
): Promise<T> {
  const init = jsonInit(method, body, { "x-platen-app": "studio" });
  return answerOf(
    await fetch(`${base}api/${at}`, init).catch(() => {
      throw unreachable();
    }),
  );
}

async function answerOf<T>(response: Response): Promise<T> {
  const answer = await read(response);
  // The service that served this page answers in the forms that its own schemas and tests hold.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (response.ok) return answer as T;
  throw new Refusal(response.status, errorOf(answer, response.status));
}

function jsonInit(
  method: Method,
  body: unknown,
  headers = pageHeaders(),
): RequestInit {
  return {
    method,
    headers: {
      ...headers,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

function unreachable(): Refusal {
  return new Refusal(0, "The service cannot be reached. Is it running?");
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function errorOf(answer: unknown, status: number): string {
  const isError =
    typeof answer === "object" && answer !== null && "error" in answer;
  if (isError && typeof answer.error === "string") return answer.error;
  return `The service answered ${status} without a reason. Try again.`;
}

/** In words, whatever was thrown. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An address of the service's, as it is reached from here: the page may have been opened under another host name. */
export function local(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
}

/** How the service sees this page: another tab of the browser may have signed out, or let somebody else in. */
type Standing = "good" | "signed-out" | "other-visitor";

/** Whoever was signed in when the page was loaded. It stays theirs until it is loaded again, whoever comes meanwhile. */
export const pageOwner = signal<AppProfile | null>(null);

/** Of the last answer. */
export const standing = signal<Standing>("good");

/** What says that a request is ours, and whose page sent it; see docs/studio.md. */
export function pageHeaders(): Record<string, string> {
  const owner = pageOwner.peek();
  return {
    "x-platen-app": "studio",
    ...(owner && {
      "x-platen-visitor": `${owner.user.id}/${owner.organization.id}`,
    }),
  };
}

/** Hears of every answer to a request with these headers. Where nothing is shown yet, there is nothing to stay for. */
export function noteAnswer(status: number): void {
  if (status === 401 && !pageOwner.peek()) leaveToSignIn();
  else if (status === 401) standing.value = "signed-out";
  else if (status === 412) standing.value = "other-visitor";
  else if (status < 400) standing.value = "good";
}
