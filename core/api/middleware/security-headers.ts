import type { HttpMiddleware } from "../http-state.js";

/** Headers that make a browser treat every answer as data. Pages and files set wider policies of their own. */
export function securityHeaders(): HttpMiddleware {
  return async (ctx, next) => {
    ctx.set({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cache-control": "no-store",
    });
    await next();
  };
}
