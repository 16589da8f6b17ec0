import { HttpError } from "koa";
import { errorText, PlatenError } from "../../plugin-api/index.js";
import type { HttpContext, HttpMiddleware } from "../http-state.js";

/** What a route may have said of a file before it failed. */
const headersOfFiles = ["accept-ranges", "content-disposition", "etag"];

/**
 * Turns whatever is thrown into `{ "error": string }` and nothing else. Only a PlatenError's own message leaves the
 * house; of anything unknown the caller gets the request id, under which the log tells the rest.
 */
export function errors(): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      answer(ctx, publicError(ctx, thrown), thrown);
    }
  };
}

function answer(ctx: HttpContext, error: PlatenError, thrown: unknown): void {
  logError(ctx, error, thrown);
  ctx.status = error.status;
  for (const header of headersOfFiles) ctx.remove(header);
  ctx.type = "application/json";
  ctx.set("cache-control", "no-store");
  if (error.retryAfterSeconds !== undefined)
    ctx.set("retry-after", String(Math.ceil(error.retryAfterSeconds)));
  ctx.body = { error: errorText(error) };
}

/** What may be told of whatever was thrown. */
export function publicError(ctx: HttpContext, thrown: unknown): PlatenError {
  if (thrown instanceof PlatenError) return thrown;
  if (thrown instanceof HttpError && thrown.status < 500)
    return new PlatenError("invalid_request", `${thrown.message}.`);
  return new PlatenError(
    "internal",
    "Something went wrong in the service, not in the request. Try again; " +
      `if it stays, tell whoever runs it the request id ${ctx.state.requestId}.`,
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
