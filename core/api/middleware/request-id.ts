import { randomUUID } from "node:crypto";
import type { Log } from "../../plugin-api/index.js";
import type { HttpMiddleware } from "../http-state.js";

const sane = /^[\w.:-]{8,64}$/;

/** Gives each request an id, or takes a sane `x-request-id`; returned in the same header and put into every log line. */
export function requestId(log: Log): HttpMiddleware {
  return async (ctx, next) => {
    const given = ctx.get("x-request-id");
    ctx.state.requestId = sane.test(given) ? given : randomUUID();
    ctx.state.log = log.child({ requestId: ctx.state.requestId });
    ctx.set("x-request-id", ctx.state.requestId);
    await next();
  };
}
