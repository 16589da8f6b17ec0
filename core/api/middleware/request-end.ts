import { finished } from "node:stream";
import type { HttpContext, HttpMiddleware } from "../http-state.js";

/** A request whose answer is out, or whose client is gone. */
export interface RequestEnd {
  ctx: HttpContext;
  /** Since its first line was read. */
  milliseconds: number;
  isCutOff: boolean;
}

/** Tells the watchers of each request as it ends. */
export function requestEnd(
  ...watchers: ((end: RequestEnd) => void)[]
): HttpMiddleware {
  return async (ctx, next) => {
    const start = performance.now();
    finished(ctx.res, (error) => {
      const milliseconds = performance.now() - start;
      const isCutOff = error !== null && error !== undefined;
      for (const watch of watchers) watch({ ctx, milliseconds, isCutOff });
    });
    await next();
  };
}
