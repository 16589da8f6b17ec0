import { fail, match, ok } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import pLimit, { type LimitFunction } from "p-limit";
import { validRange } from "semver";
import {
  clock,
  type Log,
  PLUGIN_API,
  type PlatformContext,
  PlatformError,
  type PlatformErrorCode,
  type PlatformJsonReply,
  type PlatformJsonRequest,
  type PlatformRate,
  type PlatformReply,
  type PlatformRequest,
  type PluginMeta,
  type SettingsSchema,
} from "../../core/plugin-api/index.js";
import { type Fault, faults, type FaultProxies } from "./fault-proxy.js";

// What the suites of platforms and of e-signature providers share: how a plugin is called, and what is checked of both.

/** Applies a plugin's rate, and counts the requests that it lets through. */
export class RateLimiter<C> {
  requestCount = 0;
  readonly #inFlight: LimitFunction;
  readonly #intervalMs: number;
  readonly #quotaErrors: readonly string[];
  #nextAt = 0;

  constructor(rate: PlatformRate<C>, credentials: C) {
    this.#inFlight = pLimit(rate.maxInFlight);
    const perSecond = Math.min(
      (rate.perSecond ? rate.perSecond(credentials) : rate.maxPerSecond) ??
        Infinity,
      (rate.maxPerMinute ?? Infinity) / 60,
    );
    this.#intervalMs = 1_000 / perSecond;
    this.#quotaErrors = rate.quotaErrors ?? [];
  }

  /** Whether a reply says that it had no effect because there were too many requests. */
  isRateLimited({ status, body }: PlatformReply): boolean {
    if (status !== 429) return false;
    const text = new TextDecoder().decode(body);
    return !this.#quotaErrors.some((quotaError) => text.includes(quotaError));
  }

  run<T>(send: () => Promise<T>): Promise<T> {
    return this.#inFlight(async () => {
      const now = clock.now();
      const at = Math.max(now, this.#nextAt);
      this.#nextAt = at + clock.pause(this.#intervalMs);
      await new Promise<void>((resolve) => {
        clock.limit(at - now, resolve);
      });
      this.requestCount += 1;
      return send();
    });
  }
}

const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
const maxAttempts = 3;

/** The context of a call without the service: the same behavior in as little code as possible. */
export function createContext<C>(
  credentials: C,
  signal: AbortSignal,
  limiter: RateLimiter<C>,
): PlatformContext<C> {
  const http = (url: string, request: PlatformRequest = {}) =>
    retryWhenLimited(
      signal,
      () => limiter.run(() => sendRequest(url, request, signal)),
      (reply) => limiter.isRateLimited(reply),
    );
  return {
    credentials,
    signal,
    log: silentLog,
    turn: (_scope, send) => retryWhenLimited(signal, () => limiter.run(send)),
    addressOf: (host) => Promise.resolve(host),
    fileAt: (name) => name,
    http,
    json: (url, request) => sendJson(http, url, request),
  };
}

async function sendRequest(
  url: string,
  request: PlatformRequest,
  signal: AbortSignal,
): Promise<PlatformReply> {
  try {
    const reply = await fetch(url, { ...request, redirect: "manual", signal });
    return {
      status: reply.status,
      headers: Object.fromEntries(reply.headers),
      body: new Uint8Array(await reply.arrayBuffer()),
    };
  } catch (cause) {
    throw new PlatformError("unavailable", "The platform did not answer.", {
      cause,
    });
  }
}

async function sendJson(
  http: PlatformContext<unknown>["http"],
  url: string,
  { json, headers, ...rest }: PlatformJsonRequest = {},
): Promise<PlatformJsonReply> {
  const content =
    json === undefined ? {} : { method: "POST", body: JSON.stringify(json) };
  const reply = await http(url, {
    ...content,
    ...rest,
    headers: {
      accept: "application/json",
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
  });
  return { ...reply, body: parseBody(reply) };
}

function parseBody({ status, body }: PlatformReply): unknown {
  const text = Buffer.from(body).toString("utf8");
  if (text === "") return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (status < 200 || status > 299) return text;
    throw new PlatformError(
      "unavailable",
      "The platform answered with something that is not JSON.",
      { status },
    );
  }
}

/** A rate-limited request had no effect, so it is safe to repeat. */
async function retryWhenLimited<T>(
  signal: AbortSignal,
  run: () => Promise<T>,
  isLimited: (result: T) => boolean = () => false,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      const result = await run();
      if (attempt === maxAttempts || !isLimited(result)) return result;
    } catch (error) {
      if (attempt === maxAttempts || getErrorCode(error) !== "rate_limited")
        throw error;
    }
  }
}

const callTimeoutMs = 60_000;
/** How long a plugin may take to end after its signal was aborted. */
const graceMs = 5_000;
const ignoredSignal =
  "the call did not end after its signal was aborted. Pass context.signal to every request";

/** Runs one call of a plugin with a time limit, as the host does. */
export async function withTimeout<T>(
  work: (signal: AbortSignal) => Promise<T>,
  stop?: AbortSignal,
): Promise<T> {
  const end = new AbortController();
  const signal = AbortSignal.any([
    end.signal,
    AbortSignal.timeout(callTimeoutMs),
    ...(stop ? [stop] : []),
  ]);
  const deadline = new Promise<never>((_resolve, reject) => {
    const startGrace = () => {
      if (end.signal.aborted) return;
      const error = new Error(ignoredSignal);
      clock.limit(graceMs, () => reject(error)).unref();
    };
    signal.addEventListener("abort", startGrace, { once: true });
  });
  try {
    return await Promise.race([work(signal), deadline]);
  } finally {
    // Also cancels the requests that the plugin did not wait for: the next check counts requests.
    end.abort();
  }
}

/** The code of a PlatformError of any copy of the class, as the host reads it; null for other errors. */
export function getErrorCode(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== "PlatformError") return null;
  return "code" in error && typeof error.code === "string" ? error.code : null;
}

/** The credentials that the plugin's schema marks as `writeOnly`. */
export function findSecrets(
  { properties }: SettingsSchema,
  credentials: unknown,
): string[] {
  const values = new Map<string, unknown>(Object.entries(Object(credentials)));
  return Object.entries<{ writeOnly?: unknown } | null>(Object(properties))
    .filter(([, property]) => property?.writeOnly === true)
    .map(([name]) => values.get(name))
    .filter((value) => typeof value === "string" && value !== "")
    .map(String);
}

/** What the checks that both suites share need of a session. */
export interface SharedSession {
  proxies: FaultProxies;
  secrets: readonly string[];
  /** How many requests the plugin has sent through its context. */
  readonly requestCount: number;
}

/** Fails unless `work` rejects with one of these codes, in a message without a secret. */
export async function assertRejects(
  { secrets }: Pick<SharedSession, "secrets">,
  codes: readonly PlatformErrorCode[],
  what: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const expected = `${what} must reject with PlatformError ${codes.join(" or ")}`;
  let result: unknown;
  try {
    result = await work();
  } catch (error) {
    const code = getErrorCode(error);
    const message = error instanceof Error ? error.message : String(error);
    if (secrets.some((secret) => message.includes(secret)))
      fail(
        `${what}: the error message contains a secret of the credentials. Remove it: messages are shown to users.`,
      );
    if (codes.some((allowedCode) => allowedCode === code)) return;
    fail(
      `${expected}, but rejected with ${code ?? "another error"}: ${message}`,
    );
  }
  fail(
    `${expected}, but returned ${JSON.stringify(result)?.slice(0, 200) ?? "undefined"}`,
  );
}

/** The code that a call must reject with when all its requests, or all from one on, have a fault. */
export const faultCodes: Readonly<
  Record<string, readonly [Fault, ...PlatformErrorCode[]]>
> = {
  "a 401": [faults.unauthorized, "auth"],
  "a 403": [faults.forbidden, "forbidden", "auth"],
  "a 404": [faults.notFound, "not_found"],
  "a 503": [faults.unavailable, "unavailable"],
  "repeated 429s": [faults.tooManyRequests, "rate_limited"],
  "HTML with status 200": [faults.html, "unavailable"],
};

/** Fails unless the server receives exactly the requests that the context lets through. */
export async function assertAllRequestsLimited(
  session: SharedSession,
  work: () => Promise<void>,
): Promise<void> {
  const before = session.requestCount;
  const received = await session.proxies.countRequests(work);
  const sent = session.requestCount - before;
  ok(
    received === sent,
    `The server received ${received} requests, but ${sent} went through context.http, context.json and context.turn. ` +
      "Send every request through one of them, and one request per turn.",
  );
}

/** Fails unless a call that gets no answer ends when its signal is aborted. */
export async function assertStopsOnSignal(
  { proxies }: SharedSession,
  call: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const stop = new AbortController();
  await proxies.withFault(faults.stall, async () => {
    const result = call(stop.signal).then(
      () => "the call resolved without an answer from the server",
      (error: unknown) => String(error),
    );
    await proxies.waitForFault();
    stop.abort();
    const text = await result;
    ok(
      !text.startsWith("the call") && !text.includes(ignoredSignal),
      `After its signal was aborted: ${text}`,
    );
  });
}

/** What every plugin must say of itself. @param noun what a plugin of the kind is called. */
export function listDeclarationChecks(kind: PluginMeta["kind"], noun: string) {
  return [
    {
      title: `meta identifies the ${noun} and the versions that it supports`,
      run: async ({ plugin: { meta } }: DeclaringSession) => {
        await Promise.resolve();
        assertMeta(meta, kind);
      },
    },
    {
      title: "the credentials match their JSON Schema",
      run: async ({ plugin, credentials }: DeclaringSession) => {
        await Promise.resolve();
        assertCredentials(plugin.credentials.schema, credentials);
      },
    },
  ];
}

interface DeclaringSession {
  plugin: { meta: PluginMeta; credentials: { schema: SettingsSchema } };
  readonly credentials: unknown;
}

function assertMeta(meta: PluginMeta, kind: PluginMeta["kind"]): void {
  ok(meta.kind === kind, `meta.kind must be "${kind}"`);
  match(
    meta.id,
    /^[a-z][a-z0-9-]*$/,
    "meta.id must consist of lower case letters, digits and -, and begin with a letter",
  );
  ok(meta.api === PLUGIN_API, `meta.api must be ${PLUGIN_API}`);
  ok(validRange(meta.platen), "meta.platen must be a semver range");
  ok(meta.title, "meta.title must not be empty");
  ok(meta.version, "meta.version must not be empty");
}

/** Fails unless the schema compiles and the credentials match it. */
function assertCredentials(schema: SettingsSchema, credentials: unknown): void {
  const ajv = new Ajv2020({ strict: false, formats: { uri: true } });
  const validate = ajv.compile(schema);
  ok(
    validate(credentials),
    `The subject's credentials do not match credentials.schema: ${ajv.errorsText(validate.errors)}`,
  );
}
