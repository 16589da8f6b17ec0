import { HttpError } from "koa";
import { formatError, PlatenError } from "../../plugin-api/index.js";
import type { HttpContext, HttpMiddleware } from "../context.js";

/** Headers that a route may have set for a file before it failed. */
const fileHeaders = ["accept-ranges", "content-disposition", "etag"];

/**
 * Turns whatever is thrown into `{ "error": string }` and nothing else. Only a PlatenError's own message leaves the
 * service; for anything unknown the caller gets the request id, which the log entry carries as well.
 */
export function handleErrors(): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      sendError(ctx, toPublicError(ctx, thrown), thrown);
    }
  };
}

function sendError(
  ctx: HttpContext,
  error: PlatenError,
  thrown: unknown,
): void {
  logError(ctx, error, thrown);
  ctx.status = error.status;
  for (const header of fileHeaders) ctx.remove(header);
  ctx.type = "application/json";
  ctx.set("cache-control", "no-store");
  if (error.retryAfterSeconds !== undefined)
    ctx.set("retry-after", String(Math.ceil(error.retryAfterSeconds)));
  ctx.body = { error: formatError(error) };
}

/** The error that may be shown to the caller. */
export function toPublicError(ctx: HttpContext, thrown: unknown): PlatenError {
  if (thrown instanceof PlatenError) return thrown;
  if (thrown instanceof HttpError && thrown.status < 500)
    return new PlatenError("invalid_request", `${thrown.message}.`);
  return new PlatenError(
    "internal",
    "Something went wrong in the service, not in the request. Try again; " +
      `if the problem persists, give the service's operator the request id ${ctx.state.requestId}.`,
    { cause: thrown },
  );
}

export function logError(
  ctx: HttpContext,
  { code, status, message, cause }: PlatenError,
  thrown: unknown,
): void {
  const err = status >= 500 ? thrown : cause;
  const fields = { code, ...(err !== undefined && { err }) };
  ctx.state.log[status >= 500 ? "error" : "debug"](fields, message);
}

/** Says `{ error }` where no route answered: 404 for an unknown path, 405 (with `Allow`) for another method. */
export function handleUnknownRoutes(): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    if (ctx.body !== undefined && ctx.body !== null) return;
    const { status } = ctx;
    if (status !== 404 && status !== 405 && status !== 501) return;
    ctx.body = {
      error:
        status === 404
          ? `There is no ${ctx.method} ${ctx.path}. The reference is at /docs/api.`
          : `${ctx.path} does not answer ${ctx.method}. The reference is at /docs/api.`,
    };
    ctx.status = status === 404 ? 404 : 405;
  };
}
