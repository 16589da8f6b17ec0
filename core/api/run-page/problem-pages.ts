import type { HttpContext, HttpMiddleware } from "../context.js";
import { logError, toPublicError } from "../middleware/errors.js";
import { plainWords } from "./plain-words.js";
import { type RunPages, sendPage } from "./run-pages.js";

/** Turns whatever is thrown into a page in plain words. What scripts ask for gets the usual answer. */
export function problemPages(pages: RunPages, at: string): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      if (isForScripts(ctx)) throw thrown;
      const error = toPublicError(ctx, thrown);
      logError(ctx, error, thrown);
      const { status, mayRetry, ...problem } = plainWords(
        error,
        ctx.state.requestId,
      );
      const isRepeatable = mayRetry && ctx.method !== "POST";
      const retry = isRepeatable ? `${at}${ctx.url}` : null;
      sendPage(ctx, pages.page("problem", { ...problem, retry }), status);
      if (error.retryAfterSeconds !== undefined)
        ctx.set("retry-after", String(Math.ceil(error.retryAfterSeconds)));
    }
  };
}

function isForScripts({ path }: HttpContext): boolean {
  return path.endsWith("/state") || path.endsWith("/events");
}
