import type { Readable } from "node:stream";
import { Router, type RouterMiddleware } from "@koa/router";
import { z } from "zod";
import {
  type Caller,
  type Scope,
  type RateLimits,
  requireScope,
  assertWithinRateLimit,
} from "../accounts/index.js";
import { bindToLink, type OpenLink } from "../integrations/platforms/index.js";
import { requestProblems } from "../lib/json.js";
import { PlatenError } from "../plugin-api/index.js";
import type { HttpContext, HttpState, HttpMiddleware } from "./middleware.js";
import type { SessionCookies } from "./sessions.js";
import { jsonBody } from "./request-body.js";

/** What a handler receives: validated values and the caller. `ctx` is for headers and the life of the connection alone. */
export interface OperationRequest<Params, Query, Body> {
  caller: Caller;
  params: Params;
  query: Query;
  body: Body;
  ctx: HttpContext;
}

/** A response header, for the reference. */
type HeaderNote = { description: string; example: string };

/**
 * One method of one path: the router validates requests against these schemas, and the OpenAPI document is generated
 * from the same.
 */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  id: string;
  method: "get" | "post" | "put" | "patch" | "delete";
  /** As the router writes it: `/api/templates/:templateId`. */
  path: `/api/${string}`;
  scope: Scope;
  tag:
    | "Templates"
    | "Assets"
    | "Folders"
    | "Documents"
    | "Batches"
    | "Links"
    | "Webhooks"
    | "Signatures"
    | "Connections"
    | "Account";
  summary: string;
  description: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** A link's token is accepted instead of a key; its settings override the body's. */
  takesLinks?: true;
  /** The handler reads and checks the body itself, as it arrives; `body` is for the reference. */
  readsBody?: true;
  /** A body of any other type than JSON is a file. */
  takesFile?: true;
  reply: {
    /** Default 200. */
    status?: 200 | 201 | 202;
    /** Default JSON; of any other, the handler returns the bytes. */
    mimeType?: string;
    description: string;
    schema: Reply;
    headers?: Record<string, HeaderNote>;
  };
  /** Errors beside 400, 401 and 500, which every operation has. */
  errors?: readonly (404 | 409 | 410 | 413 | 429 | 503)[];
  handle(
    request: OperationRequest<
      z.output<Params>,
      z.output<Query>,
      z.output<Body>
    >,
  ): Promise<z.input<Reply> | Readable>;
}

/** Infers the schemas' types for `handle`. */
export function defineOperation<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
>(told: Operation<Params, Query, Body, Reply>): Operation {
  return told;
}

/** What every operation's request passes first. */
interface OperationRouterOptions {
  authenticate: Authenticate;
  /** For people who are signed in, and so need no key. */
  door: SessionCookies;
  rateLimits: Pick<RateLimits, "count">;
  maxBodyBytes: number;
  links: { open: OpenLinkToken };
}

/**
 * Routes for the operations: key or session, then rate, then scope, then body and values, so that a stranger learns nothing of
 * the rest.
 */
export function createOperationRouter(
  operations: readonly Operation[],
  {
    authenticate,
    door,
    rateLimits,
    maxBodyBytes,
    links,
  }: OperationRouterOptions,
): Router<HttpState> {
  const router = new Router<HttpState>();
  const rate = limitRate(rateLimits);
  const byKey = authenticateRequest(authenticate, door);
  const byLink = authenticateWithLink(byKey, door, (token) =>
    links.open(token),
  );
  const body = jsonBody(maxBodyBytes);
  for (const operation of operations) {
    const { method, path, takesLinks } = operation;
    const chain = [
      takesLinks ? byLink : byKey,
      rate,
      requireScopeOf(operation.scope),
    ];
    if (operation.body && !operation.readsBody) chain.push(body);
    if (takesLinks) chain.push(applyLink());
    router[method](path, ...chain, createHandler(operation));
  }
  return router;
}

function createHandler(operation: Operation): RouterMiddleware<HttpState> {
  const { reply, body, readsBody } = operation;
  return async (ctx) => {
    const answer = await operation.handle({
      caller: getCaller(ctx),
      params: validate(operation.params, ctx.params, "params"),
      query: validate(operation.query, { ...ctx.query }, "query"),
      body: readsBody ? {} : validate(body, ctx.request.body, "body"),
      ctx,
    });
    ctx.status = reply.status ?? 200;
    ctx.type = reply.mimeType ?? "application/json";
    ctx.body = answer;
  };
}

const requestParts = {
  body: { root: "$", what: "Invalid request body" },
  query: { root: "", what: "Invalid query" },
  params: { root: "", what: "Invalid path" },
} as const;

/** @throws PlatenError `invalid_request` with every problem of this part of the request. */
export function validate(
  schema: z.ZodType | undefined,
  value: unknown,
  place: keyof typeof requestParts,
): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const { root, what } = requestParts[place];
  const problems = requestProblems(result.error.issues, root, getKeys(schema));
  throw new PlatenError("invalid_request", `${what}.`, {
    problems,
  });
}

function getKeys(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** Whose key this is. Rejects with PlatenError `unauthorized` for one that is missing or not good. */
export type Authenticate = (key: string | undefined) => Promise<Caller>;

/**
 * Lets nobody pass without a good `x-api-key`, or the session of someone who is signed in, and notes whose it is. Where
 * both are sent, the key counts.
 */
function authenticateRequest(
  authenticate: Authenticate,
  door: SessionCookies,
): HttpMiddleware {
  return async (ctx, next) => {
    const key = ctx.get("x-api-key") || undefined;
    const isSignedIn = key === undefined && door.isShown(ctx);
    ctx.state.caller = isSignedIn
      ? (await door.enter(ctx)).caller
      : await authenticate(key);
    await next();
  };
}

/** The caller that `apiKey` let pass; only behind it. */
function getCaller(ctx: HttpContext): Caller {
  if (!ctx.state.caller)
    throw new PlatenError(
      "internal",
      "A route runs without authentication middleware.",
    );
  return ctx.state.caller;
}

/** Rejects with PlatenError `unauthorized` for a token that is not ours, has expired or was revoked. */
type OpenLinkToken = (token: string) => Promise<OpenLink>;

/** The maximum body of a request that is not authenticated yet. */
const maxUnauthenticatedBytes = 1_048_576;

/**
 * Accepts a link's token instead of a key: `Authorization: Link <token>`, or `token` in the body. What the link settles
 * is filled into the body, and what it is not for is refused.
 */
function authenticateWithLink(
  byKey: HttpMiddleware,
  door: SessionCookies,
  openToken: OpenLinkToken,
): HttpMiddleware {
  const readBody = jsonBody(maxUnauthenticatedBytes);
  return async (ctx, next) => {
    const token = await findLinkToken(ctx, door, readBody);
    if (token === null) await byKey(ctx, next);
    else {
      setLinkCaller(ctx, await openToken(token));
      await next();
    }
  };
}

/** Null when the request carries a key or no credentials. The body is read only when the headers carry neither. */
async function findLinkToken(
  ctx: HttpContext,
  door: SessionCookies,
  readBody: HttpMiddleware,
): Promise<string | null> {
  if (ctx.get("x-api-key") !== "") return null;
  if (ctx.get("authorization") !== "") return findTokenInHeader(ctx);
  if (door.isShown(ctx)) return null;
  await readBody(ctx, async () => {});
  return findTokenInBody(ctx);
}

/** Behind the scope's check: fills in what the link settles. */
function applyLink(): HttpMiddleware {
  return async (ctx, next) => {
    const { link } = ctx.state;
    const body: unknown = ctx.request.body;
    if (link && isObject(body))
      ctx.request.body = bindToLink(link, getPlatformParam(ctx), body);
    await next();
  };
}

function findTokenInHeader(ctx: HttpContext): string {
  const token = /^Link +(\S+)$/i.exec(ctx.get("authorization"))?.[1];
  if (token !== undefined) return token;
  throw new PlatenError(
    "unauthorized",
    "The Authorization header only accepts links, as `Authorization: Link <token>`. Send an API key in x-api-key.",
  );
}

function findTokenInBody(ctx: HttpContext): string | null {
  const body: unknown = ctx.request.body;
  const token = isObject(body) ? body["token"] : null;
  return typeof token === "string" ? token : null;
}

/** The caller may do this one thing, on behalf of the link's creator. */
function setLinkCaller(ctx: HttpContext, { link, plan }: OpenLink): void {
  ctx.state.link = link;
  ctx.state.caller = {
    organizationId: link.organizationId,
    plan,
    userId: link.createdById,
    keyId: link.id,
    scopes: ["documents:write"],
    requestsPerMinute: null,
  };
}

function getPlatformParam(ctx: HttpContext): string {
  const params: unknown = ctx["params"];
  const platform = isObject(params) ? params["platform"] : null;
  return typeof platform === "string" ? platform : "";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Refuses a key that lacks this scope, with 400 as the specification says. Only behind `apiKey`. */
function requireScopeOf(needed: Scope): HttpMiddleware {
  return async (ctx, next) => {
    requireScope(getCaller(ctx), needed);
    await next();
  };
}

/**
 * Counts requests, where a limit is set, and refuses what is too much. The answer says how the caller stands, in the
 * words of the IETF's draft of RateLimit headers and in the three older ones that many clients read.
 */
function limitRate(limits: Pick<RateLimits, "count">): HttpMiddleware {
  return async (ctx, next) => {
    const standing = await limits.count(getCaller(ctx), new Date());
    if (standing) {
      const { limit, resetSeconds } = standing;
      const remaining = Math.max(0, standing.remaining);
      ctx.set("ratelimit-policy", `"minute";q=${limit};w=60`);
      ctx.set("ratelimit", `"minute";r=${remaining};t=${resetSeconds}`);
      ctx.set("ratelimit-limit", String(limit));
      ctx.set("ratelimit-remaining", String(remaining));
      ctx.set("ratelimit-reset", String(resetSeconds));
      assertWithinRateLimit(standing);
    }
    await next();
  };
}
