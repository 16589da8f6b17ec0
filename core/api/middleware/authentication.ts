import { type Caller, requireScope, type Scope } from "../../accounts/index.js";
import {
  bindToLink,
  type OpenLink,
} from "../../integrations/platforms/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { SessionCookies } from "./sessions.js";
import type { HttpContext, HttpMiddleware } from "../context.js";
import { jsonBody } from "../request-body.js";

/** Whose key this is. Rejects with PlatenError `unauthorized` for one that is missing or not good. */
export type Authenticate = (key: string | undefined) => Promise<Caller>;

/**
 * Lets nobody pass without a good `x-api-key`, or the session of someone who is signed in, and notes whose it is. Where
 * both are sent, the key counts.
 */
export function authenticateRequest(
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
export function getCaller(ctx: HttpContext): Caller {
  if (!ctx.state.caller)
    throw new PlatenError(
      "internal",
      "A route runs without authentication middleware.",
    );
  return ctx.state.caller;
}

/** Rejects with PlatenError `unauthorized` for a token that is not ours, has expired or was revoked. */
export type OpenLinkToken = (token: string) => Promise<OpenLink>;

/** The maximum body of a request that is not authenticated yet. */
const maxUnauthenticatedBytes = 1_048_576;

/**
 * Accepts a link's token instead of a key: `Authorization: Link <token>`, or `token` in the body. What the link settles
 * is filled into the body, and what it is not for is refused.
 */
export function authenticateWithLink(
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
export function applyLink(): HttpMiddleware {
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
export function requireScopeOf(needed: Scope): HttpMiddleware {
  return async (ctx, next) => {
    requireScope(getCaller(ctx), needed);
    await next();
  };
}
