import { Router } from "@koa/router";
import { PlatenError } from "../../plugin-api/index.js";
import type { HttpState } from "../middleware.js";
import { StaticFiles } from "../static-files.js";

/**
 * The documentation site below /docs, and the redirect from / to the studio.
 * @param folder where the build has put the site.
 */
export function docsRoutes(folder: string): Router<HttpState> {
  const router = new Router<HttpState>();
  const files = new StaticFiles(folder);
  router.get("/", (ctx) => ctx.redirect("studio"));
  router.get(["/docs", "/docs/*path"], async (ctx) => {
    // Links on the pages are relative.
    if (ctx.path === "/docs") return ctx.redirect("docs/");
    const name = ctx.path.slice("/docs/".length) || "index";
    ctx.set("content-security-policy", sitePolicy);
    if (name === "404") return files.send(ctx, "404.html", "no-cache", 404);
    if (await files.has(`${name}.html`))
      return files.send(ctx, `${name}.html`, "no-cache");
    if (!name.endsWith(".html") && (await files.has(name)))
      return files.send(ctx, name, cacheControl(name));
    if (ctx.accepts("json", "html") !== "html")
      throw new PlatenError("not_found", `There is no page ${ctx.path}.`);
    const depth = name.split("/").length - 1;
    return ctx.redirect(`${"../".repeat(depth)}404`);
  });
  return router;
}

/** Names in assets/ contain a hash of the content. */
function cacheControl(name: string): string {
  return name.startsWith("assets/")
    ? "public, max-age=31536000, immutable"
    : "public, no-cache";
}

/** Own scripts, styles and fonts alone; nothing inline, and no page may frame it. */
const sitePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; " +
  "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
