import type { Caller } from "../../accounts/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { SessionDoor } from "../apps/session-door.js";
import type { HttpContext, HttpMiddleware } from "../http-state.js";

/** Whose key this is. Rejects with PlatenError `unauthorized` for one that is missing or not good. */
export type Authenticate = (key: string | undefined) => Promise<Caller>;

/**
 * Lets nobody pass without a good `x-api-key`, or the session of someone who is signed in, and notes whose it is. Where
 * both are sent, the key counts.
 */
export function apiKey(
  authenticate: Authenticate,
  door: SessionDoor,
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
export function callerOf(ctx: HttpContext): Caller {
  if (!ctx.state.caller)
    throw new PlatenError("internal", "A route stands in front of its guard.");
  return ctx.state.caller;
}
