import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { Router } from "@koa/router";
import { definitionJsonSchema } from "../../definition/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { HttpContext, HttpState } from "../http-state.js";
import {
  referencePage,
  referencePolicy,
  referenceScript,
  referenceStyle,
} from "../openapi/reference-page.js";

const DEFINITION_SCHEMA = "/schemas/definition-v1.json";

/**
 * The OpenAPI document, a page to read it on, the way there, and the JSON Schema of a definition.
 * @param document made when first asked for.
 * @param baseUrl without a slash at the end; the schema's `$id` begins with it.
 * @param libraryFolder where the build has put the files of Swagger UI.
 */
export function referenceRoutes(
  document: () => Promise<object>,
  baseUrl: string,
  libraryFolder: string,
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
  serveLibrary(router, libraryFolder, "swagger-ui-bundle.js");
  serveLibrary(router, libraryFolder, "swagger-ui.css");
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

function serveLibrary(
  router: Router<HttpState>,
  folder: string,
  name: string,
): void {
  const path = join(folder, name);
  router.get(`/docs/${name}`, async (ctx) => {
    const { size } = await stat(path).catch((cause: unknown) => {
      throw new PlatenError(
        "unavailable",
        "This page was not built. Run `npm run build`, then load the page again.",
        { cause },
      );
    });
    ctx.type = extname(name);
    ctx.length = size;
    ctx.set("cache-control", "public, max-age=3600");
    ctx.body = createReadStream(path);
  });
}
