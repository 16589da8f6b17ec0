import { signal as createSignal } from "@preact/signals";
import type { UserProfile } from "../../core/accounts/views.js";
import { clock } from "../../core/lib/clock.js";
import { base, leaveToSignIn } from "./router.js";
import { t } from "./messages/index.js";
import type { components } from "../../sdk/src/api.js";

/** What the public API takes and returns, as its OpenAPI document says. */
export type Schemas = components["schemas"];

/** An error response of the service; its message is meant for people. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    message: string,
    /** What its message says, for those that the studio words itself. */
    readonly problem: { code: string; values: object } | null = null,
  ) {
    super(message);
  }
}

/** Whether the same request may succeed later: no connection, too many requests, or a failure of the service. */
export function isTemporary(error: unknown): boolean {
  const status = error instanceof Refusal ? error.status : 0;
  return status === 0 || status === 429 || status >= 500;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A connection that was lost without a sign of it answers nothing for a quarter of an hour. */
const maxAnswerMs = 5 * 60_000;

/**
 * Sends a request to the studio's own routes below `studio/api`.
 * @param limitMs rejects with Refusal when the whole answer takes longer
 */
export function ask<T>(
  at: string,
  method?: Method,
  body?: unknown,
  limitMs?: number,
): Promise<T> {
  return send(`${base}api/${at}`, method, body, limitMs);
}

/** Sends a request to the studio's own routes whose response is a file. */
export async function askBytes(
  at: string,
  body: unknown,
  signal: AbortSignal,
): Promise<Blob> {
  const init = { ...jsonInit("POST", body), signal };
  const response = await reach(`${base}api/${at}`, init);
  noteAnswer(response.status);
  if (response.ok) return response.blob();
  const answer = await read(response);
  throw new Refusal(response.status, errorOf(answer, response.status));
}

/** Rejects with Refusal unless the service has this file. */
export async function checkFile(url: string): Promise<void> {
  const { ok, status } = await reach(url, { method: "HEAD" });
  if (!ok) throw new Refusal(status, t("common.platenWasUpdated"));
}

/** Sends a request while the page is being closed. Works for small bodies only; the response is ignored. */
export function askLast(at: string, method: Method, body: unknown): void {
  const init = { ...jsonInit(method, body), keepalive: true };
  void fetch(`${base}api/${at}`, init).catch(() => undefined);
}

export function askPublic<T>(
  at: string,
  method?: Method,
  body?: unknown,
): Promise<T> {
  return send(publicAddress(at), method, body);
}

/** Sends a form with files, and `request` as JSON, to the public API. */
export async function sendForm<T>(
  at: string,
  files: Readonly<Record<string, File>>,
  request: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const form = new FormData();
  form.set("request", JSON.stringify(request));
  for (const [name, file] of Object.entries(files)) form.set(name, file);
  const response = await reach(publicAddress(at), {
    method: "POST",
    headers: { ...pageHeaders(), ...headers },
    body: form,
  });
  noteAnswer(response.status);
  return answerOf(response);
}

export function publicAddress(at: string): string {
  return base.replace(/[^/]+\/$/, `api/${at}`);
}

async function send<T>(
  url: string,
  method: Method = "GET",
  body?: unknown,
  limitMs = maxAnswerMs,
): Promise<T> {
  const limit = new AbortController();
  const timer = clock.limit(limitMs, () =>
    limit.abort(new Refusal(0, t("common.couldntReachPlaten"))),
  );
  try {
    const { signal } = limit;
    const response = await reach(url, { ...jsonInit(method, body), signal });
    noteAnswer(response.status);
    return await answerOf<T>(response);
  } finally {
    timer.cancel();
  }
}

/** Sends a request to the studio's own routes as the person who is signed in now, who may not be the page's owner. */
export async function askAsWhoever<T>(
  at: string,
  method: Method = "GET",
  body?: unknown,
): Promise<T> {
  const init = jsonInit(method, body, { "x-platen-app": "studio" });
  return answerOf(await reach(`${base}api/${at}`, init));
}

async function answerOf<T>(response: Response): Promise<T> {
  const answer = await read(response);
  // The service that served this page responds as its own schemas and tests say.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (response.ok) return answer as T;
  const { status, headers } = response;
  const encoded = headers.get("x-platen-problem") ?? "null";
  const problem: Refusal["problem"] = JSON.parse(decodeURIComponent(encoded));
  throw new Refusal(status, errorOf(answer, status), problem);
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

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Refusal(0, t("common.couldntReachPlaten"));
  }
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

/** The message of an error response. */
export function errorOf(answer: unknown, status: number): string {
  const isError =
    typeof answer === "object" && answer !== null && "error" in answer;
  if (isError && typeof answer.error === "string") return answer.error;
  return t("common.statusWithoutMessage", { status });
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The path of a service URL, since the page may have been opened under another host name. */
export function local(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
}

/**
 * Whether the session still belongs to the page's owner: another tab may have signed out or signed in somebody
 * else.
 */
type Standing = "good" | "signed-out" | "other-visitor";

/** The person who was signed in when the page was loaded. */
export const pageOwner = createSignal<UserProfile | null>(null);

/** According to the last response. */
export const standing = createSignal<Standing>("good");

/** Headers that mark requests as the studio's and name the page's owner; see docs/explanation/security.md. */
export function pageHeaders(): Record<string, string> {
  const owner = pageOwner.peek();
  return {
    "x-platen-app": "studio",
    ...(owner && {
      "x-platen-visitor": `${owner.user.id}/${owner.organization.id}`,
    }),
  };
}

/** Updates `standing` from a response's status. Leaves for the sign-in page when nothing is loaded yet. */
export function noteAnswer(status: number): void {
  if (status === 401 && !pageOwner.peek()) leaveToSignIn();
  else if (status === 401) standing.value = "signed-out";
  else if (status === 412) standing.value = "other-visitor";
  else if (status < 400) standing.value = "good";
}
