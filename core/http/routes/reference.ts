import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { Router } from "@koa/router";
import type { HttpContext, HttpState } from "../http-state.js";
import {
  referencePage,
  referencePolicy,
  referenceScript,
  referenceStyle,
} from "../openapi/reference-page.js";

const library = createRequire(import.meta.url);

/** The OpenAPI document, a page to read it on, and the way there. @param document made when first asked for. */
export function referenceRoutes(document: () => object): Router<HttpState> {
  const router = new Router<HttpState>();
  let text: string | undefined;
  router.get("/openapi.json", (ctx) => {
    text ??= JSON.stringify(document(), null, 2);
    ctx.set("access-control-allow-origin", "*");
    send(ctx, "application/json", text);
  });
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

function send(ctx: HttpContext, type: string, text: string): void {
  ctx.type = type;
  ctx.body = text;
}

function sendLibrary(ctx: HttpContext, type: string, name: string): void {
  ctx.type = type;
  ctx.set("cache-control", "public, max-age=3600");
  ctx.body = createReadStream(library.resolve(`swagger-ui-dist/${name}`));
}
