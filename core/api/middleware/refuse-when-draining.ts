import { PlatenError } from "../../plugin-api/index.js";
import type { HttpMiddleware } from "../http-state.js";

const retrySeconds = 5;

/**
 * While the service ends, what was begun is finished and nothing new is. The port stays open until then, so that whoever
 * watches hears "not ready" instead of nothing.
 */
export function refuseWhenDraining(draining: AbortSignal): HttpMiddleware {
  return async (ctx, next) => {
    if (draining.aborted) {
      ctx.set("connection", "close");
      if (!ctx.path.startsWith("/health/"))
        throw new PlatenError(
          "unavailable",
          "The service is shutting down. Send the request again in a moment.",
          { retryAfterSeconds: retrySeconds },
        );
    }
    await next();
  };
}
