import type { RequestEnd } from "./request-end.js";

// Queries hold signatures, and a path may hold the key of a picture: the one is left out, the other masked.
const longToken = /[\w-]{43,}/g;
// The token of a link stands for a key, and is part of its pages' paths.
const linkToken = /(\/run\/)[^/]+/;
// So does what a provider has put into the address of a page.
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
