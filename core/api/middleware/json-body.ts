import { bodyParser } from "@koa/bodyparser";
import { PlatenError } from "../../plugin-api/index.js";
import type { HttpContext, HttpMiddleware } from "../context.js";
import { parseJson } from "../../lib/json/index.js";

/**
 * Reads a JSON body into `ctx.request.body`, unless it is there already; without a body it is `{}`. The library reads the text (with its limit
 * and inflation) and we parse it: its own JSON mode would refuse `__proto__` without saying where it stands.
 */
export function jsonBody(maxBytes: number): HttpMiddleware {
  const readText = bodyParser({
    enableTypes: ["text"],
    extendTypes: { text: ["application/json", "+json"] },
    textLimit: maxBytes,
    onError: (error) => {
      throw readError(error, maxBytes);
    },
  });
  return async (ctx, next) => {
    if (ctx.request.body === undefined) {
      await readText(ctx, async () => {});
      ctx.request.body = parse(ctx, ctx.request.body);
    }
    await next();
  };
}

function parse(ctx: HttpContext, text: unknown): unknown {
  if (typeof text !== "string") return withoutBody(ctx);
  if (text.trim() === "") return {};
  return parseJson(text);
}

function withoutBody(ctx: HttpContext): unknown {
  const hasBody =
    (ctx.request.length ?? 0) > 0 || ctx.get("transfer-encoding") !== "";
  if (!hasBody) return {};
  const type = ctx.get("content-type") || "nothing";
  throw new PlatenError(
    "invalid_request",
    `The body must be JSON, sent with "Content-Type: application/json"; it came as ${type}.`,
  );
}

function readError(error: Error, maxBytes: number): PlatenError {
  const type = "type" in error ? error.type : null;
  const isUnknownEncoding = "status" in error && error.status === 415;
  if (type === "entity.too.large")
    return new PlatenError(
      "too_large",
      `The body is over the limit of ${maxBytes} bytes. Send less, or raise PLATEN_MAX_BODY_BYTES.`,
    );
  if (type === "request.aborted" || type === "request.size.invalid")
    return new PlatenError(
      "invalid_request",
      "The body ended before its announced length.",
    );
  const text = isUnknownEncoding
    ? "The body's content-encoding is not known. Use gzip, deflate or none."
    : "The body could not be read.";
  return new PlatenError("invalid_request", text, { cause: error });
}
