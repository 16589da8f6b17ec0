import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../../plugin-api/index.js";
import type { HttpMiddleware } from "../http-state.js";

/** Another doorway that answers some paths by itself, on the connection. */
export interface Mount<Endpoint extends string = string> {
  /** Which of its endpoints a request is for; null: none. Gets the address as it was sent. */
  endpointOf(url: string): Endpoint | null;
  /** Rejects only before anything was answered. */
  answer(
    endpoint: Endpoint,
    request: IncomingMessage,
    response: ServerResponse,
    log: Log,
  ): Promise<void>;
}

/** Hands the requests of another doorway over to it. What it refuses is answered like any error. */
export function mounted<Endpoint extends string>(
  mount: Mount<Endpoint>,
): HttpMiddleware {
  return async (ctx, next) => {
    const endpoint = mount.endpointOf(ctx.originalUrl);
    if (endpoint === null) await next();
    else {
      ctx["_matchedRoute"] = endpoint;
      await mount.answer(endpoint, ctx.req, ctx.res, ctx.state.log);
      ctx.respond = false;
    }
  };
}
