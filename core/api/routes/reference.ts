import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { Router } from "@koa/router";
import { definitionJsonSchema } from "../../definition/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { HttpContext, HttpState } from "../middleware.js";
import { DEFINITION_SCHEMA } from "../openapi.js";

/**
 * The OpenAPI document, the page at /docs/api that shows it, and the JSON Schema of a definition.
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
  router.get("/docs/api", (ctx) => {
    ctx.set("content-security-policy", referencePolicy);
    send(ctx, "text/html", referencePage);
  });
  router.get("/docs/api/theme.js", (ctx) =>
    send(ctx, "text/javascript", themeScript),
  );
  router.get("/docs/api/page.js", (ctx) =>
    send(ctx, "text/javascript", referenceScript),
  );
  router.get("/docs/api/page.css", (ctx) =>
    send(ctx, "text/css", referenceStyle),
  );
  serveLibrary(router, libraryFolder, "swagger-ui-bundle.js");
  serveLibrary(router, libraryFolder, "swagger-ui.css");
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
  router.get(`/docs/api/${name}`, async (ctx) => {
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

/** The page at /docs/api. Everything that it loads is ours; see its policy. */
const referencePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Platen</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="api/swagger-ui.css">
<link rel="stylesheet" href="api/page.css">
<script src="api/theme.js"></script>
</head>
<body>
<nav><a href="./"><b>Platen</b> Docs</a><a href="./reference/rest">REST conventions</a><a href="../studio/">Studio</a><a href="../openapi.json">openapi.json</a></nav>
<main id="reference"></main>
<noscript>This page needs scripts. The same as data: <a href="../openapi.json">openapi.json</a>.</noscript>
<script src="api/swagger-ui-bundle.js"></script>
<script src="api/page.js"></script>
</body>
</html>
`;

/** The colors that were chosen for the documentation, or else those of the system. Runs before the page is drawn. */
const themeScript = `const chosen = localStorage.getItem("platen-docs-theme");
const isDark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.classList.toggle("dark-mode", isDark);
`;

/** Starts the library: no validator elsewhere, no key kept in the browser. */
const referenceScript = `SwaggerUIBundle({
  url: "../openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  defaultModelRendering: "example",
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const referenceStyle = `:root { --background: #fff; --soft: #f5f6f9; --line: #e5e7ec; --text: #30343d; --accent: #3d4bd1; --code: #2b3a67; }
:root.dark-mode { color-scheme: dark; --background: #1c2022; --soft: #1c2022; --line: #31363c; --text: #c9ced8; --accent: #a3acff; --code: #a3acff; }
body { margin: 0; background: var(--background); }
nav { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 28px; min-height: 60px; padding: 0 24px; border-bottom: 1px solid var(--line); font: 500 14px/1.5 system-ui, sans-serif; }
nav a { color: var(--text); text-decoration: none; }
nav a:first-child { margin-right: auto; font-size: 16px; }
nav a:hover { color: var(--accent); }
.swagger-ui, .swagger-ui .info .title { font-family: system-ui, sans-serif; }
.swagger-ui .wrapper { max-width: 1100px; }
.swagger-ui .info { margin: 40px 0 24px; }
.swagger-ui .info li, .swagger-ui .info p { font-size: 15px; line-height: 1.55; }
.swagger-ui .renderedMarkdown code, .swagger-ui .info code { color: var(--code); font-weight: 500; }
.swagger-ui .renderedMarkdown pre > code, .swagger-ui .info pre > code { display: block; padding: 12px 14px; }
.swagger-ui .scheme-container { box-shadow: none; padding: 12px 0; background: var(--soft); }
.swagger-ui .opblock .opblock-summary-description { font-size: 14px; }
noscript { display: block; margin: 40px auto; max-width: 40em; font: 16px/1.5 sans-serif; }
`;

/** Own scripts and requests to ourselves alone; the library's icons are data URLs. */
const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
