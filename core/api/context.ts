import type { ServerResponse } from "node:http";
import type { Middleware, ParameterizedContext } from "koa";
import type { Caller, Actor } from "../accounts/index.js";
import type { OpenLink } from "../integrations/platforms/index.js";
import { type Log, PlatenError } from "../plugin-api/index.js";

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

/** Aborted when the client goes away before its answer is out; the reason says so. */
export function createDisconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort(clientGone());
  });
  return controller.signal;
}

function clientGone(): PlatenError {
  return new PlatenError(
    "timeout",
    "The client closed the connection before the document was ready.",
  );
}

/** The caller of a request, for the audit trail. Who has no key is signed in. */
export function getActor({ userId, keyId }: Caller): Actor {
  return { origin: keyId === null ? "studio" : "rest", userId, keyId };
}
