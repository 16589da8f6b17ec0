import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import nunjucks from "nunjucks";
import type { HttpContext, HttpMiddleware } from "../context.js";
import { logError, toPublicError } from "../middleware/errors.js";
import { describeError } from "./error-messages.js";

const folder = fileURLToPath(new URL(".", import.meta.url));

function fileText(name: string): string {
  return readFileSync(folder + name, "utf8");
}

/** What a page is drawn with: every name in its template. */
type Context = Record<string, unknown>;

/** Own styles and scripts alone; pictures are ours, and the empty icon is a data URL. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The pages that people without a key see. All texts are escaped. */
export class RunPages {
  readonly style = fileText("page.css");
  readonly script = fileText("page.js");
  /** Names these files' content, so that browsers may keep them. */
  private readonly version = createHash("sha256")
    .update(this.style + this.script)
    .digest("hex")
    .slice(0, 12);
  private readonly templates = new nunjucks.Environment(
    new nunjucks.FileSystemLoader(folder),
    { autoescape: true, trimBlocks: true, lstripBlocks: true },
  );

  /** @param at the path of the service, without a slash at the end. */
  constructor(private readonly at: string) {}

  page(name: "confirm" | "progress" | "problem", context: Context): string {
    const { at, version } = this;
    return this.templates.render(`${name}.njk`, { ...context, at, version });
  }

  /** One part of the progress page, to take the place of what stands there. */
  part(name: "heading" | "summary" | "actions", context: Context): string {
    return this.templates
      .renderString(
        `{% from "parts.njk" import ${name} %}{{ ${name}(run, here) }}`,
        context,
      )
      .trim();
  }

  row(item: unknown, here: string): string {
    const text = `{% from "parts.njk" import row %}{{ row(item, here) }}`;
    return this.templates.renderString(text, { item, here }).trim();
  }
}

export function sendPage(ctx: HttpContext, page: string, status = 200): void {
  ctx.status = status;
  ctx.type = "text/html";
  ctx.set("content-security-policy", policy);
  ctx.set("cache-control", "no-store");
  ctx.body = page;
}

/** Turns whatever is thrown into a page in plain words. What scripts ask for gets the usual answer. */
export function showErrorPages(pages: RunPages, at: string): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      if (isForScripts(ctx)) throw thrown;
      const error = toPublicError(ctx, thrown);
      logError(ctx, error, thrown);
      const { status, mayRetry, ...problem } = describeError(
        error,
        ctx.state.requestId,
      );
      const isRepeatable = mayRetry && ctx.method !== "POST";
      const retry = isRepeatable ? `${at}${ctx.url}` : null;
      sendPage(ctx, pages.page("problem", { ...problem, retry }), status);
      if (error.retryAfterSeconds !== undefined)
        ctx.set("retry-after", String(Math.ceil(error.retryAfterSeconds)));
    }
  };
}

function isForScripts({ path }: HttpContext): boolean {
  return path.endsWith("/state") || path.endsWith("/events");
}
