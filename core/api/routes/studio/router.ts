import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { PassThrough } from "node:stream";
import { Router, type RouterMiddleware } from "@koa/router";
import type { CachedFile } from "../../../documents/index.js";
import {
  type RateLimits,
  assertWithinRateLimit,
  MEMBER_ROLES,
  type MemberRole,
  type NewSession,
  type Visitor,
} from "../../../accounts/index.js";
import { clock } from "../../../lib/clock.js";
import { getBasePath } from "../../../lib/process-values.js";
import { PlatenError } from "../../../plugin-api/index.js";
import {
  createDisconnectSignal,
  type HttpContext,
  type HttpState,
} from "../../middleware.js";
import type { SessionCookies } from "../../sessions.js";
import { type BodyParser, createJsonReader } from "../../request-body.js";
import { StaticFiles } from "../../static-files.js";

export interface AppRequest {
  /** Null when nobody is signed in, which only routes for anyone allow. */
  visitor: Visitor | null;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The parsed JSON, not validated; `{}` without a body. */
  body: unknown;
  userAgent: string;
  /** The `flow` that an earlier reply stored in this browser. */
  flow: string | null;
  /** Aborted when the browser disconnects before the reply is sent. */
  signal: AbortSignal;
}

/** Has at most one of `json`, `file`, `redirect` and `events`; none for 204. */
export interface AppReply {
  /** Default 200. */
  status?: number;
  json?: unknown;
  file?: CachedFile;
  /** A path of the app, such as `sign-in`, or an http(s) URL of another site. */
  redirect?: string;
  /**
   * Server-sent events, each with JSON as its data. The host keeps the connection alive, checks the session again while it
   * is open, and aborts the signal when it ends, which the service's stop does too.
   */
  events?: (signal: AbortSignal) => AsyncIterable<unknown>;
  /** Signs the browser in; null signs it out. */
  session?: NewSession | null;
  /** Stored in the browser for ten minutes, readable only by the app's routes; null deletes it. */
  flow?: string | null;
}

export interface AppRoute {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** Relative to the app's path, in router syntax: `/api/keys/:keyId`. */
  path: `/${string}`;
  access: "anyone" | MemberRole;
  /** The limit for the request body; 1 MiB when left out. */
  maxBytes?: number;
  /** Counts as an attempt to sign in, which are limited per IP address. */
  isSignIn?: true;
  /** The most requests per person and minute, for expensive work that no other limit covers; no limit when left out. */
  maxRequestsPerMinute?: number;
  handle(request: AppRequest): Promise<AppReply>;
}

export interface AppFiles {
  /**
   * An absolute path. `<name>.br` and `<name>.gz` are compressed copies of a file. `index.html` is served for every path
   * that is neither a file nor a route; `/app-base/` in it is replaced by the app's path.
   */
  folder: string;
  /** A folder of files with a content hash in their names, which browsers cache forever. */
  hashed: string;
}

export interface App {
  routes: readonly AppRoute[];
  files: AppFiles;
}

export interface AppGate {
  cookies: SessionCookies;
  rateLimits: Pick<RateLimits, "countIn">;
  compute: BodyParser;
  /** Without a slash at the end. */
  baseUrl: string;
  /** Aborted when the service stops. */
  draining: AbortSignal;
}

const prefix = "/studio";
const defaultMaxBytes = 1_048_576;
const maxSignInsPerMinute = 30;

/** The studio's routes, each behind its guard, and its files. */
export function appRouter(app: App, gate: AppGate): Router<HttpState> {
  const router = new Router<HttpState>({ prefix });
  const at = getBasePath(gate.baseUrl) + prefix;
  for (const route of app.routes) {
    router[route.method](route.path, createHandler(route, gate, at));
  }
  const folder = new AppFolder(app.files, at);
  router.get(["/", "/*path"], (ctx) =>
    folder.send(ctx, decodePath(ctx.path.slice(prefix.length + 1))),
  );
  return router;
}

/** What is no text names no file. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new PlatenError("not_found", "There is no such page.");
  }
}

function createHandler(
  route: AppRoute,
  gate: AppGate,
  at: string,
): RouterMiddleware<HttpState> {
  const readBody = createJsonReader(
    route.maxBytes ?? defaultMaxBytes,
    gate.compute,
  );
  const { isSignIn, maxRequestsPerMinute } = route;
  const streams = new EventStreams(gate);
  return async (ctx) => {
    await readBody(ctx);
    // Addresses behind one proxy count together, so there are more of them than a person needs.
    if (isSignIn)
      await count(gate, `sign-in:${ctx.state.address}`, maxSignInsPerMinute);
    const visitor = await authorize(ctx, route.access, gate.cookies);
    if (visitor && maxRequestsPerMinute !== undefined) {
      const bucket = `app:${route.path}:${visitor.userId}`;
      await count(gate, bucket, maxRequestsPerMinute);
    }
    const reply = await route.handle({
      visitor,
      params: ctx.params,
      query: ctx.URL.searchParams,
      body: ctx.request.body,
      userAgent: ctx.get("user-agent"),
      flow: gate.cookies.flow(ctx),
      signal: createDisconnectSignal(ctx.res),
    });
    if (reply.events && visitor) streams.send(ctx, visitor, reply.events);
    else sendReply(ctx, reply, gate.cookies, at);
  };
}

/** Each page that a person looks at has one. */
const maxStreamsPerPerson = 20;
/** Shorter than the time-outs of common proxies. */
const heartbeatMs = 15_000;
/** Then the page connects again, maybe to another process. */
const maxStreamMs = 10 * 60_000;

/** Open streams of server-sent events of one route. */
class EventStreams {
  readonly #counts = new Map<string, number>();

  constructor(private readonly gate: AppGate) {}

  /** @throws PlatenError `busy` for one stream too many. */
  send(
    ctx: HttpContext,
    { userId }: Visitor,
    open: NonNullable<AppReply["events"]>,
  ): void {
    const openCount = this.#counts.get(userId) ?? 0;
    if (openCount >= maxStreamsPerPerson)
      throw new PlatenError(
        "busy",
        `You have ${openCount} pages open that wait for changes, which is the limit. Close some of them.`,
        { retryAfterSeconds: 60 },
      );
    this.#counts.set(userId, openCount + 1);
    const closed = new AbortController();
    ctx.res.once("close", () => {
      closed.abort();
      const left = (this.#counts.get(userId) ?? 1) - 1;
      if (left > 0) this.#counts.set(userId, left);
      else this.#counts.delete(userId);
    });
    const signal = AbortSignal.any([
      closed.signal,
      this.gate.draining,
      AbortSignal.timeout(maxStreamMs),
    ]);
    ctx.status = 200;
    ctx.type = "text/event-stream";
    ctx.set({
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    const body = new PassThrough();
    ctx.body = body;
    void this.#pump(ctx, body, open, signal);
  }

  /** Ends the stream when the session does, at the next heartbeat. */
  async #pump(
    ctx: HttpContext,
    body: PassThrough,
    open: NonNullable<AppReply["events"]>,
    signal: AbortSignal,
  ): Promise<void> {
    const ended = new AbortController();
    const heartbeat = clock.every(heartbeatMs, () => {
      this.gate.cookies.enter(ctx).then(
        () => body.write(": still here\n\n"),
        () => ended.abort(),
      );
    });
    try {
      const all = AbortSignal.any([signal, ended.signal]);
      for await (const event of open(all))
        body.write(`data: ${JSON.stringify(event)}\n\n`);
    } catch (error) {
      // The page connects again, or asks now and then while that fails.
      ctx.state.log.warn({ err: error }, "event stream ended");
    } finally {
      heartbeat.cancel();
      body.end();
    }
  }
}

async function count(
  { rateLimits }: AppGate,
  bucket: string,
  maxPerMinute: number,
): Promise<void> {
  assertWithinRateLimit(
    await rateLimits.countIn(bucket, maxPerMinute, clock.date()),
  );
}

async function authorize(
  ctx: HttpContext,
  access: AppRoute["access"],
  cookies: SessionCookies,
): Promise<Visitor | null> {
  if (access === "anyone") return cookies.look(ctx);
  const { visitor } = await cookies.enter(ctx);
  if (MEMBER_ROLES.indexOf(visitor.role) < MEMBER_ROLES.indexOf(access))
    throw new PlatenError(
      "forbidden",
      `This requires the role ${access}; yours is ${visitor.role}. Ask an owner of the organization.`,
    );
  return visitor;
}

/** @param at the app's path, without a slash at the end. */
function sendReply(
  ctx: HttpContext,
  { status, json, file, redirect, session, flow }: AppReply,
  cookies: SessionCookies,
  at: string,
): void {
  if (session !== undefined) cookies.keep(ctx, session);
  if (flow !== undefined) cookies.keepFlow(ctx, flow);
  if (redirect !== undefined) {
    const isElsewhere = /^https?:\/\//.test(redirect);
    ctx.redirect(isElsewhere ? redirect : `${at}/${redirect}`);
    ctx.body = null;
    ctx.status = 303;
    return;
  }
  if (file !== undefined) return sendBytes(ctx, file);
  ctx.body = json === undefined ? null : JSON.stringify(json);
  ctx.status = status ?? (json === undefined ? 204 : 200);
  if (json !== undefined) ctx.type = "application/json";
}

/** What is made of a template may hold anybody's markup: opened by itself, it may do nothing. */
function sendBytes(
  ctx: HttpContext,
  { bytes, mimeType, maxAgeSeconds }: CachedFile,
): void {
  ctx.set({
    "content-security-policy": "sandbox; default-src 'none'",
    "cache-control":
      maxAgeSeconds === undefined
        ? "no-store"
        : `private, max-age=${maxAgeSeconds}`,
  });
  ctx.status = 200;
  ctx.type = mimeType;
  ctx.body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Own scripts, styles and fonts alone; nothing inline, and no page may frame it. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; form-action 'self'; base-uri 'self'; frame-ancestors 'none'";

interface IndexPage {
  text: string;
  etag: string;
}

/** The pages of an app and the files that they load. */
class AppFolder {
  readonly #files: StaticFiles;
  #index: Promise<IndexPage> | null = null;

  /** @param at the app's path as browsers know it, without a slash at the end. */
  constructor(
    private readonly app: AppFiles,
    private readonly at: string,
  ) {
    this.#files = new StaticFiles(app.folder);
  }

  /** @param name below the app's path. @throws PlatenError `not_found`. */
  async send(ctx: HttpContext, name: string): Promise<void> {
    const isFile = name !== "index.html" && (await this.#files.has(name));
    if (isFile) await this.#files.send(ctx, name, this.#cacheControl(name));
    else if (isPage(name, this.app)) await this.#sendIndex(ctx);
    else
      throw new PlatenError(
        "not_found",
        `There is no ${ctx.method} ${ctx.path}.`,
      );
  }

  #cacheControl(name: string): string {
    const hasHash = name.startsWith(`${this.app.hashed}/`);
    return hasHash ? "public, max-age=31536000, immutable" : "public, no-cache";
  }

  async #sendIndex(ctx: HttpContext): Promise<void> {
    this.#index ??= this.#readIndex();
    const { text, etag } = await this.#index;
    ctx.set({
      "content-security-policy": pagePolicy,
      // Forms of ours are to say where they come from; other sites learn nothing.
      "referrer-policy": "same-origin",
      "cache-control": "no-cache",
    });
    ctx.status = 200;
    ctx.type = "text/html";
    ctx.etag = etag;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = text;
  }

  async #readIndex(): Promise<IndexPage> {
    const file = join(this.app.folder, "index.html");
    const html = await readFile(file, "utf8");
    const text = html.replaceAll("/app-base/", `${this.at}/`);
    const etag = createHash("sha256").update(text).digest("hex").slice(0, 32);
    return { text, etag };
  }
}

/** Paths of pages have no ending; the app's own script tells them apart. */
function isPage(name: string, { hashed }: AppFiles): boolean {
  if (name === "index.html") return true;
  if (name.startsWith("api/") || name.startsWith(`${hashed}/`)) return false;
  return extname(name) === "";
}
