import { randomUUID } from "node:crypto";
import { finished } from "node:stream";
import type { Log, Metrics } from "../../plugin-api/index.js";
import type { HttpMiddleware, HttpContext } from "../context.js";

const validRequestId = /^[\w.:-]{8,64}$/;

/** Gives each request an id, or takes a sane `x-request-id`; returned in the same header and put into every log line. */
export function assignRequestId(log: Log): HttpMiddleware {
  return async (ctx, next) => {
    const given = ctx.get("x-request-id");
    ctx.state.requestId = validRequestId.test(given) ? given : randomUUID();
    ctx.state.log = log.child({ requestId: ctx.state.requestId });
    ctx.set("x-request-id", ctx.state.requestId);
    await next();
  };
}

/** A request whose answer is out, or whose client is gone. */
interface RequestEnd {
  ctx: HttpContext;
  /** Since its first line was read. */
  milliseconds: number;
  isCutOff: boolean;
}

/** Tells the watchers of each request as it ends. */
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

/** One line for each request. Health checks are logged as `debug`. */
export function logRequest({ ctx, milliseconds, isCutOff }: RequestEnd): void {
  const fields = {
    method: ctx.method,
    path: ctx.path
      .replace(providerPage, "$1…")
      .replace(linkToken, "$1…")
      .replace(longToken, "…"),
    status: ctx.res.statusCode,
    ms: Math.round(milliseconds * 10) / 10,
    ...(isCutOff && { cutOff: true }),
  };
  const level = ctx.path.startsWith("/health/") ? "debug" : "info";
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
    const route = getRoutePattern(ctx);
    count({ method, route, status: String(ctx.res.statusCode) });
    took({ method, route }, milliseconds / 1000);
  };
}

/** As the router writes it, `/api/templates/:templateId`. */
function getRoutePattern(ctx: HttpContext): string {
  const route: unknown = ctx["_matchedRoute"];
  return typeof route === "string" ? route : "none";
}
