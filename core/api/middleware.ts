import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { finished } from "node:stream";
import { type Middleware, type ParameterizedContext, HttpError } from "koa";
import type { Caller, Actor } from "../accounts/index.js";
import { runAsOwner, type WorkOwner } from "../lib/event-loop.js";
import { getClientAddress } from "../lib/client-address.js";
import type { Networks } from "../lib/networks.js";
import {
  type ErrorCode,
  type Log,
  PlatenError,
  type Metrics,
  formatError,
} from "../plugin-api/index.js";

/** What the middleware gathers about one request. */
export interface HttpState {
  requestId: string;
  /** The client's IP address, as a trusted proxy names it. */
  address: string;
  /** Carries the request's id in every line. */
  log: Log;
  /** Whose request it is, once the key or the session was accepted. */
  caller?: Pick<Caller, "organizationId" | "keyId">;
  errorCode?: string;
}

export type HttpContext = ParameterizedContext<HttpState>;
export type HttpMiddleware = Middleware<HttpState>;

/** Aborted when the client goes away before its answer is out; the reason says so. */
export function createDisconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished)
      controller.abort(
        new PlatenError(
          "timeout",
          "The client closed the connection before the document was ready.",
        ),
      );
  });
  return controller.signal;
}

/** The caller of a request, for the audit trail. Who has no key is signed in. */
export function getActor({ userId, keyId }: Caller): Actor {
  return { origin: keyId === null ? "studio" : "rest", userId, keyId };
}

const validRequestId = /^[\w.:-]{8,64}$/;

/** Finds out where each request comes from. @param proxies whose word is taken for it. */
export function assignAddress(proxies: Networks): HttpMiddleware {
  return async (ctx, next) => {
    ctx.state.address = getClientAddress(ctx.req, proxies);
    await next();
  };
}

/**
 * Gives each request an id, or takes a sane `x-request-id`; returned in the same header and put into every log line. All
 * that the request starts is known as its work.
 */
export function assignRequestId(log: Log): HttpMiddleware {
  return async (ctx, next) => {
    const given = ctx.get("x-request-id");
    ctx.state.requestId = validRequestId.test(given) ? given : randomUUID();
    ctx.state.log = log.child({ requestId: ctx.state.requestId });
    ctx.set("x-request-id", ctx.state.requestId);
    const { requestId } = ctx.state;
    await (isHealthCheck(ctx)
      ? next()
      : runAsOwner({ route: `${ctx.method} …`, requestId }, next));
  };
}

/** What the log says of a caller whose work holds the event loop. */
export function toOwner({
  organizationId,
  keyId,
}: Pick<Caller, "organizationId" | "keyId">): Partial<WorkOwner> {
  return { organizationId, ...(keyId !== null && { keyId }) };
}

function isHealthCheck({ path }: HttpContext): boolean {
  return path.startsWith("/health/");
}

/** A request whose answer is out, or whose client is gone. */
interface RequestEnd {
  ctx: HttpContext;
  /** Since its first line was read. */
  milliseconds: number;
  isCutOff: boolean;
}

export function observeRequests(
  ...watchers: ((end: RequestEnd) => void)[]
): HttpMiddleware {
  return async (ctx, next) => {
    const start = performance.now();
    finished(ctx.res, (error) => {
      const milliseconds = performance.now() - start;
      const isCutOff = error !== null && error !== undefined;
      for (const watch of watchers) watch({ ctx, milliseconds, isCutOff });
    });
    await next();
  };
}

// Queries hold signatures, and a path may hold the key of a picture: the one is left out, the other masked.
const longToken = /[\w-]{43,}/g;
// A link's token is a credential and part of its pages' paths.
const linkToken = /(\/run\/)[^/]+/;
// So is what a provider puts into a page's URL.
const providerPage = /^(\/esign\/[^/]+\/).+/;

/**
 * One line for each request; that of an error says which it was and whose request. Health checks are logged as `debug`.
 */
export function logRequest({ ctx, milliseconds, isCutOff }: RequestEnd): void {
  const { caller, errorCode } = ctx.state;
  const fields = {
    method: ctx.method,
    path: ctx.path
      .replace(providerPage, "$1…")
      .replace(linkToken, "$1…")
      .replace(longToken, "…"),
    status: ctx.res.statusCode,
    ms: Math.round(milliseconds * 10) / 10,
    ...(ctx.res.statusCode >= 400 && {
      ...(errorCode !== undefined && { code: errorCode }),
      ...(caller && { organizationId: caller.organizationId }),
      ...(caller?.keyId && { keyId: caller.keyId }),
    }),
    ...(isCutOff && { cutOff: true }),
  };
  const level = isHealthCheck(ctx) ? "debug" : "info";
  ctx.state.log[level](fields, "request");
}

const durationBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/** Counts requests and how long they took, by the pattern of their route and never by their path. */
export function createRequestMetrics(
  metrics: Metrics,
): (end: RequestEnd) => void {
  const count = metrics.counter({
    name: "platen_http_requests_total",
    help: "Requests that were answered, or whose client hung up.",
    labels: ["method", "route", "status"],
  });
  const took = metrics.durations({
    name: "platen_http_request_seconds",
    help: "From a request's first line to the end of its answer.",
    labels: ["method", "route"],
    upTo: durationBuckets,
  });
  return ({ ctx, milliseconds }) => {
    const { method } = ctx;
    // As the router writes it, `/api/templates/:templateId`.
    const pattern: unknown = ctx["_matchedRoute"];
    const route = typeof pattern === "string" ? pattern : "none";
    count({ method, route, status: String(ctx.res.statusCode) });
    took({ method, route }, milliseconds / 1000);
  };
}

const maxProblems = 1000;

/** Headers that a route may have set for a file before it failed. */
const fileHeaders = ["accept-ranges", "content-disposition", "etag"];

/** Every 429 says how long to wait, as the reference promises; platforms do not always. */
const defaultWaitSeconds: Partial<Record<ErrorCode, number>> = { busy: 10 };

/** Clients refuse long headers. */
const maxProblemCharacters = 4096;

/** By which the studio says a single problem in its own language: the body has the message alone. */
function encodeProblem({ problems }: PlatenError): string | null {
  const [problem, ...others] = problems;
  if (!problem?.values || others.length > 0) return null;
  const { code, values } = problem;
  const encoded = encodeURIComponent(JSON.stringify({ code, values }));
  return encoded.length > maxProblemCharacters ? null : encoded;
}

/**
 * Turns whatever is thrown into `{ "error": string }` and nothing else. Only a PlatenError's own message leaves the
 * service; for anything unknown the caller gets the request id, which the log entry carries as well.
 */
export function handleErrors(): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toPublicError(ctx, thrown);
      logError(ctx, error, thrown);
      ctx.status = error.status;
      for (const header of fileHeaders) ctx.remove(header);
      ctx.type = "application/json";
      ctx.set("cache-control", "no-store");
      const wait = error.retryAfterSeconds ?? defaultWaitSeconds[error.code];
      if (wait !== undefined) ctx.set("retry-after", String(Math.ceil(wait)));
      const problem = encodeProblem(error);
      if (problem !== null) ctx.set("x-platen-problem", problem);
      ctx.body = { error: formatError(error, maxProblems) };
    }
  };
}

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
  ctx.state.errorCode = code;
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
    ctx.state.errorCode = status === 404 ? "not_found" : "method_not_allowed";
    ctx.body = {
      error:
        status === 404
          ? `There is no ${ctx.method} ${ctx.path}. The reference is at /docs/api.`
          : `${ctx.path} does not answer ${ctx.method}. The reference is at /docs/api.`,
    };
    ctx.status = status === 404 ? 404 : 405;
  };
}
