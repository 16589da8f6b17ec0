import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import nunjucks from "nunjucks";
import type { HttpContext, HttpMiddleware } from "../context.js";
import { logError, toPublicError } from "../middleware/errors.js";
import { describeError } from "./error-messages.js";
import { getTranslate, languages, type Translate } from "./messages.js";

const folder = fileURLToPath(new URL(".", import.meta.url));

function fileText(name: string): string {
  return readFileSync(folder + name, "utf8");
}

/** The variables of a template. */
type Context = Record<string, unknown>;

/** Who reads a page, and where. */
export interface PageRequest {
  /** The page's own path. */
  here: string;
  /** The code of the page's language. */
  language: string;
  t: Translate;
}

/** @param here the page's own path. */
export function toPageRequest(ctx: HttpContext, here: string): PageRequest {
  const language = ctx.acceptsLanguages([...languages]) || "en";
  return { here, language, t: getTranslate(language) };
}

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

  page(
    name: "confirm" | "progress" | "problem",
    request: PageRequest,
    context: Context,
  ): string {
    const { at, version } = this;
    const all = { ...context, ...request, at, version };
    return this.templates.render(`${name}.njk`, all);
  }

  /** Renders one part of the progress page, which replaces the present one. */
  part(
    name: "heading" | "summary" | "actions",
    request: PageRequest,
    run: object,
  ): string {
    const parameters = name === "actions" ? "run, here, t" : "run, t";
    return this.templates
      .renderString(
        `{% from "parts.njk" import ${name} %}{{ ${name}(${parameters}) }}`,
        { ...request, run },
      )
      .trim();
  }

  row(item: object, { t }: PageRequest): string {
    const text = `{% from "parts.njk" import row %}{{ row(item, t) }}`;
    return this.templates.renderString(text, { item, t }).trim();
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
      const request = toPageRequest(ctx, at + ctx.path);
      const { status, mayRetry, ...problem } = describeError(
        error,
        ctx.state.requestId,
        request.t,
      );
      const isRepeatable = mayRetry && ctx.method !== "POST";
      const retry = isRepeatable ? `${at}${ctx.url}` : null;
      const page = pages.page("problem", request, { ...problem, retry });
      sendPage(ctx, page, status);
      if (error.retryAfterSeconds !== undefined)
        ctx.set("retry-after", String(Math.ceil(error.retryAfterSeconds)));
    }
  };
}

function isForScripts({ path }: HttpContext): boolean {
  return path.endsWith("/state") || path.endsWith("/events");
}
