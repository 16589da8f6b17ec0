import { finished } from "node:stream";
import type { HttpContext, HttpMiddleware } from "../http-state.js";

// Queries hold signatures, and a path may hold the key of a picture: the one is left out, the other masked.
const longToken = /[\w-]{43,}/g;

/** One line for each request, when its response is out or its client is gone. Health checks are logged as `debug`. */
export function accessLog(): HttpMiddleware {
  return async (ctx, next) => {
    const start = performance.now();
    finished(ctx.res, (error) => {
      writeLine(ctx, performance.now() - start, error !== null && !!error);
    });
    await next();
  };
}

function writeLine(
  ctx: HttpContext,
  milliseconds: number,
  isCutOff: boolean,
): void {
  const fields = {
    method: ctx.method,
    path: ctx.path.replace(longToken, "…"),
    status: ctx.res.statusCode,
    ms: Math.round(milliseconds * 10) / 10,
    ...(isCutOff && { cutOff: true }),
  };
  const level = ctx.path.startsWith("/health/") ? "debug" : "info";
  ctx.state.log[level](fields, "request");
}
