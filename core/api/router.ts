import { Router, type RouterMiddleware } from "@koa/router";
import type { RateLimits } from "../accounts/limits/index.js";
import type { HttpState } from "./http-state.js";
import type { SessionDoor } from "./apps/session-door.js";
import { apiKey, type Authenticate, callerOf } from "./middleware/api-key.js";
import {
  keyOrLink,
  linkedBody,
  type OpenToken,
} from "./middleware/link-token.js";
import { jsonBody } from "./middleware/json-body.js";
import { rateLimit } from "./middleware/rate-limit.js";
import { scope } from "./middleware/scope.js";
import type { Operation } from "./operation.js";
import { validate } from "./validate.js";

/** What every operation's request passes first. */
export interface Gate {
  authenticate: Authenticate;
  /** For people who are signed in, and so need no key. */
  door: SessionDoor;
  rateLimits: Pick<RateLimits, "count">;
  maxBodyBytes: number;
  links: { open: OpenToken };
}

/**
 * Routes for the operations: key or session, then rate, then scope, then body and values, so that a stranger learns nothing of
 * the rest.
 */
export function operationRouter(
  operations: readonly Operation[],
  { authenticate, door, rateLimits, maxBodyBytes, links }: Gate,
): Router<HttpState> {
  const router = new Router<HttpState>();
  const rate = rateLimit(rateLimits);
  const byKey = apiKey(authenticate, door);
  const byLink = keyOrLink(byKey, door, (token) => links.open(token));
  const body = jsonBody(maxBodyBytes);
  for (const operation of operations) {
    const { method, path, takesLinks } = operation;
    const chain = [takesLinks ? byLink : byKey, rate, scope(operation.scope)];
    if (operation.body && !operation.readsBody) chain.push(body);
    if (takesLinks) chain.push(linkedBody());
    router[method](path, ...chain, handler(operation));
  }
  return router;
}

function handler(operation: Operation): RouterMiddleware<HttpState> {
  const { reply, body, readsBody } = operation;
  return async (ctx) => {
    const answer = await operation.handle({
      caller: callerOf(ctx),
      params: validate(operation.params, ctx.params, "params"),
      query: validate(operation.query, { ...ctx.query }, "query"),
      body: readsBody ? {} : validate(body, ctx.request.body, "body"),
      ctx,
    });
    ctx.status = reply.status ?? 200;
    ctx.type = reply.mimeType ?? "application/json";
    ctx.body = answer;
  };
}
