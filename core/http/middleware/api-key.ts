import type { Caller } from "../../account/index.js";
import { PlatenError } from "../../contract/index.js";
import type { HttpContext, HttpMiddleware } from "../http-state.js";

/** Whose key this is. Rejects with PlatenError `unauthorized` for one that is missing or not good. */
export type Authenticate = (key: string | undefined) => Promise<Caller>;

/** Lets nobody pass without a good `x-api-key`, and notes whose it is. */
export function apiKey(authenticate: Authenticate): HttpMiddleware {
  return async (ctx, next) => {
    ctx.state.caller = await authenticate(ctx.get("x-api-key") || undefined);
    await next();
  };
}

/** The caller that `apiKey` let pass; only behind it. */
export function callerOf(ctx: HttpContext): Caller {
  if (!ctx.state.caller)
    throw new PlatenError("internal", "A route stands in front of its guard.");
  return ctx.state.caller;
}
