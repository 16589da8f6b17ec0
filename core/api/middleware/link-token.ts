import { PlatenError } from "../../plugin-api/index.js";
import {
  bindToLink,
  type OpenLink,
} from "../../integrations/platforms/index.js";
import type { HttpContext, HttpMiddleware } from "../http-state.js";
import type { SessionDoor } from "../apps/session-door.js";
import { jsonBody } from "./json-body.js";

/** Rejects with PlatenError `unauthorized` for a token that is not ours, has expired or was revoked. */
export type OpenToken = (token: string) => Promise<OpenLink>;

/** Whoever has shown neither key nor token yet may send so much. */
const mostBytesOfStrangers = 1_048_576;

/**
 * Lets a link's token stand in for a key: `Authorization: Link <token>`, or `token` in the body. What the link settles
 * is filled into the body, and what it is not for is refused.
 */
export function keyOrLink(
  byKey: HttpMiddleware,
  door: SessionDoor,
  openToken: OpenToken,
): HttpMiddleware {
  const readBody = jsonBody(mostBytesOfStrangers);
  return async (ctx, next) => {
    const token = await tokenOf(ctx, door, readBody);
    if (token === null) await byKey(ctx, next);
    else {
      admit(ctx, await openToken(token));
      await next();
    }
  };
}

/** Null: whoever asks has a key, or nothing. The body is read only when the headers hold neither. */
async function tokenOf(
  ctx: HttpContext,
  door: SessionDoor,
  readBody: HttpMiddleware,
): Promise<string | null> {
  if (ctx.get("x-api-key") !== "") return null;
  if (ctx.get("authorization") !== "") return tokenInHeader(ctx);
  if (door.isShown(ctx)) return null;
  await readBody(ctx, async () => {});
  return tokenInBody(ctx);
}

/** Behind the scope's check: fills in what the link settles. */
export function linkedBody(): HttpMiddleware {
  return async (ctx, next) => {
    const { link } = ctx.state;
    const body: unknown = ctx.request.body;
    if (link && isObject(body))
      ctx.request.body = bindToLink(link, platformOf(ctx), body);
    await next();
  };
}

function tokenInHeader(ctx: HttpContext): string {
  const token = /^Link +(\S+)$/i.exec(ctx.get("authorization"))?.[1];
  if (token !== undefined) return token;
  throw new PlatenError(
    "unauthorized",
    "The header Authorization is for links alone, as `Authorization: Link <token>`. A key belongs into x-api-key.",
  );
}

function tokenInBody(ctx: HttpContext): string | null {
  const body: unknown = ctx.request.body;
  const token = isObject(body) ? body["token"] : null;
  return typeof token === "string" ? token : null;
}

/** May do this one thing, in the name of whoever made the link. */
function admit(ctx: HttpContext, { link, plan }: OpenLink): void {
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

function platformOf(ctx: HttpContext): string {
  const params: unknown = ctx["params"];
  const platform = isObject(params) ? params["platform"] : null;
  return typeof platform === "string" ? platform : "";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
