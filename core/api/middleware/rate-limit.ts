import {
  type RateLimits,
  assertWithinRateLimit,
} from "../../accounts/index.js";
import type { HttpMiddleware } from "../context.js";
import { getCaller } from "./authentication.js";

/**
 * Counts requests, where a limit is set, and refuses what is too much. The answer says how the caller stands, in the
 * words of the IETF's draft of RateLimit headers and in the three older ones that many clients read.
 */
export function limitRate(limits: Pick<RateLimits, "count">): HttpMiddleware {
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
