import type { Middleware, ParameterizedContext } from "koa";
import type { Caller } from "../accounts/index.js";
import type { Log } from "../plugin-api/index.js";
import type { OpenLink } from "../integrations/platforms/index.js";

/** What the middleware gathers about one request. */
export interface HttpState {
  requestId: string;
  /** Carries the request's id in every line. */
  log: Log;
  /** Set by the key's middleware; read through `callerOf`. */
  caller?: Caller;
  /** Whose token stood in for a key. */
  link?: OpenLink["link"];
}

export type HttpContext = ParameterizedContext<HttpState>;
export type HttpMiddleware = Middleware<HttpState>;
