import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { Router } from "@koa/router";
import { definitionJsonSchema } from "../../definition/index.js";
import type { HttpContext, HttpState } from "../http-state.js";
import {
  referencePage,
  referencePolicy,
  referenceScript,
  referenceStyle,
} from "../openapi/reference-page.js";

const DEFINITION_SCHEMA = "/schemas/definition-v1.json";
const library = createRequire(import.meta.url);

/**
 * The OpenAPI document, a page to read it on, the way there, and the JSON Schema of a definition.
 * @param document made when first asked for.
 * @param baseUrl without a slash at the end; the schema's `$id` begins with it.
 */
export function referenceRoutes(
  document: () => Promise<object>,
  baseUrl: string,
): Router<HttpState> {
  const router = new Router<HttpState>();
  serveJson(router, "/openapi.json", document);
  serveJson(router, DEFINITION_SCHEMA, () =>
    definitionJsonSchema(baseUrl + DEFINITION_SCHEMA),
  );
  router.get("/docs", (ctx) => {
    ctx.set("content-security-policy", referencePolicy);
    send(ctx, "text/html", referencePage);
  });
  router.get("/docs/page.js", (ctx) =>
    send(ctx, "text/javascript", referenceScript),
  );
  router.get("/docs/page.css", (ctx) => send(ctx, "text/css", referenceStyle));
  router.get("/docs/swagger-ui-bundle.js", (ctx) =>
    sendLibrary(ctx, "text/javascript", "swagger-ui-bundle.js"),
  );
  router.get("/docs/swagger-ui.css", (ctx) =>
    sendLibrary(ctx, "text/css", "swagger-ui.css"),
  );
  router.get("/", (ctx) => ctx.redirect("docs"));
  return router;
}

/** Open to pages of other origins: editors read it, and there is no secret in it. */
function serveJson(
  router: Router<HttpState>,
  path: string,
  make: () => object | Promise<object>,
): void {
  let text: string | undefined;
  router.get(path, async (ctx) => {
    text ??= JSON.stringify(await make(), null, 2);
    ctx.set("access-control-allow-origin", "*");
    send(ctx, "application/json", text);
  });
}

function send(ctx: HttpContext, type: string, text: string): void {
  ctx.type = type;
  ctx.body = text;
}

function sendLibrary(ctx: HttpContext, type: string, name: string): void {
  ctx.type = type;
  ctx.set("cache-control", "public, max-age=3600");
  ctx.body = createReadStream(library.resolve(`swagger-ui-dist/${name}`));
}
