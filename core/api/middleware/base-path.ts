import type { HttpMiddleware } from "../http-state.js";

/** Takes the base URL's path off requests, so that it does not matter whether a proxy in front does it. */
export function basePath(baseUrl: string): HttpMiddleware {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, "");
  return async (ctx, next) => {
    if (prefix !== "" && ctx.url.startsWith(`${prefix}/`))
      ctx.url = ctx.url.slice(prefix.length);
    await next();
  };
}
