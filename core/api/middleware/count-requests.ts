import type { Metrics } from "../../plugin-api/index.js";
import type { HttpContext } from "../http-state.js";
import type { RequestEnd } from "./request-end.js";

const upTo = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Counts requests and how long they took, by the pattern of their route and never by their path. */
export function countRequests(metrics: Metrics): (end: RequestEnd) => void {
  const count = metrics.counter({
    name: "platen_http_requests_total",
    help: "Requests that were answered, or whose client hung up.",
    labels: ["method", "route", "status"],
  });
  const took = metrics.durations({
    name: "platen_http_request_seconds",
    help: "From a request's first line to the end of its answer.",
    labels: ["method", "route"],
    upTo,
  });
  return ({ ctx, milliseconds }) => {
    const { method } = ctx;
    const route = routeOf(ctx);
    count({ method, route, status: String(ctx.res.statusCode) });
    took({ method, route }, milliseconds / 1000);
  };
}

/** As the router writes it, `/api/templates/:templateId`. */
function routeOf(ctx: HttpContext): string {
  const route: unknown = ctx["_matchedRoute"];
  return typeof route === "string" ? route : "none";
}
