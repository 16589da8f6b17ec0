import { Router, type RouterMiddleware } from "@koa/router";
import type { RateLimits } from "../admission/index.js";
import type { HttpState } from "./http-state.js";
import { apiKey, type Authenticate, callerOf } from "./middleware/api-key.js";
import { jsonBody } from "./middleware/json-body.js";
import { rateLimit } from "./middleware/rate-limit.js";
import { scope } from "./middleware/scope.js";
import type { Operation } from "./operation.js";
import { validate } from "./validate.js";

/** What every operation's request passes first. */
export interface Gate {
  authenticate: Authenticate;
  rateLimits: Pick<RateLimits, "count">;
  maxBodyBytes: number;
}

/**
 * Routes for the operations: key, then rate, then scope, then body and values, so that a stranger learns nothing of
 * the rest.
 */
export function operationRouter(
  operations: readonly Operation[],
  { authenticate, rateLimits, maxBodyBytes }: Gate,
): Router<HttpState> {
  const router = new Router<HttpState>();
  const guard = [apiKey(authenticate), rateLimit(rateLimits)];
  const body = jsonBody(maxBodyBytes);
  for (const operation of operations) {
    const { method, path } = operation;
    const chain = [...guard, scope(operation.scope)];
    if (operation.body && !operation.readsBody) chain.push(body);
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
