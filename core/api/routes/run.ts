import { Router } from "@koa/router";
import { type RateLimits, refuseExcess } from "../../accounts/limits/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { Links, OpenLink } from "../../integrations/platforms/index.js";
import type { HttpContext, HttpState } from "../context.js";
import { formField } from "../run-page/form-field.js";
import { problemPages } from "../run-page/problem-pages.js";
import { recordIdsOf } from "../run-page/record-ids.js";
import { runEvents } from "../run-page/run-events.js";
import { RunPages, sendPage } from "../run-page/run-pages.js";
import { RunViews, type RunViewParts } from "../run-page/run-views.js";

export interface RunServices extends RunViewParts {
  links: Pick<Links, "open">;
  rateLimits: Pick<RateLimits, "count">;
  baseUrl: string;
  /** Fires when the service begins to end. */
  draining: AbortSignal;
}

const one = "/run/:token/:runId";

/**
 * The pages behind links: ask, make, show how far it is. They need no key: the token in the address is the proof. GET
 * makes nothing, so that whatever looks at an address by itself does no harm.
 */
export function runRoutes(services: RunServices): Router<HttpState> {
  const at = new URL(services.baseUrl).pathname.replace(/\/$/, "");
  const pages = new RunPages(at);
  const router = new Router<HttpState>();
  addFiles(router, pages);
  router.use("/run/:token", problemPages(pages, at));
  const views = new RunViews(services, pages);
  addQuestion(router, services, views, at);
  addProgress(router, services, views, at);
  return router;
}

/** Their address names their content, so they may be kept. */
function addFiles(router: Router<HttpState>, pages: RunPages): void {
  const add = (path: string, type: string, text: string) =>
    router.get(path, (ctx) => {
      ctx.set("cache-control", "public, max-age=31536000, immutable");
      ctx.type = type;
      ctx.body = text;
    });
  add("/run/page.css", "text/css", pages.style);
  add("/run/page.js", "text/javascript", pages.script);
}

function addQuestion(
  router: Router<HttpState>,
  services: RunServices,
  views: RunViews,
  at: string,
): void {
  router.get("/run/:token", async (ctx) => {
    const open = await linkOf(ctx, services);
    await countRequest(services, open);
    const ids = recordIdsOf(ctx.URL.searchParams);
    const here = at + ctx.path;
    sendPage(ctx, await views.confirm(open, ids, here, ctx.state.log));
  });
  router.post("/run/:token", async (ctx) => {
    refuseOtherSites(ctx);
    const open = await linkOf(ctx, services);
    const form = await formField(ctx, "form");
    await countRequest(services, open);
    seeOther(ctx, `${at}${ctx.path}/${await services.runs.start(open, form)}`);
  });
}

function addProgress(
  router: Router<HttpState>,
  services: RunServices,
  views: RunViews,
  at: string,
): void {
  const here = (ctx: HttpContext) =>
    `${at}/run/${paramOf(ctx, "token")}/${paramOf(ctx, "runId")}`;
  const state = async (ctx: HttpContext) =>
    views.state(await linkOf(ctx, services), paramOf(ctx, "runId"), here(ctx));
  router.get(one, async (ctx) => {
    const open = await linkOf(ctx, services);
    const id = paramOf(ctx, "runId");
    sendPage(ctx, await views.progress(open, id, here(ctx)));
  });
  router.get(`${one}/state`, async (ctx) => {
    ctx.body = await state(ctx);
  });
  router.get(`${one}/events`, async (ctx) => {
    await state(ctx);
    ctx.type = "text/event-stream";
    ctx.set("x-accel-buffering", "no");
    ctx.body = runEvents(() => state(ctx), services.draining);
  });
  router.post(`${one}/save-again`, async (ctx) => {
    refuseOtherSites(ctx);
    const open = await linkOf(ctx, services);
    await countRequest(services, open);
    await services.runs.saveAgain(open, paramOf(ctx, "runId"));
    seeOther(ctx, here(ctx));
  });
}

function linkOf(ctx: HttpContext, { links }: RunServices): Promise<OpenLink> {
  return links.open(paramOf(ctx, "token"));
}

function paramOf(ctx: HttpContext, name: string): string {
  const params: unknown = ctx["params"];
  if (typeof params !== "object" || params === null) return "";
  const value: unknown = Reflect.get(params, name);
  return typeof value === "string" ? value : "";
}

/** Counts as one of its organization's. @throws PlatenError `busy` for one too many. */
async function countRequest(
  { rateLimits }: RunServices,
  { link: { organizationId, id: keyId }, plan }: OpenLink,
): Promise<void> {
  const requester = { organizationId, plan, keyId, requestsPerMinute: null };
  const standing = await rateLimits.count(requester, new Date());
  if (standing) refuseExcess(standing);
}

/** A button is pressed on our own page. Browsers that do not tell are stopped by the form's proof alone. */
function refuseOtherSites(ctx: HttpContext): void {
  const from = ctx.get("sec-fetch-site");
  if (["", "same-origin", "none"].includes(from)) return;
  throw new PlatenError(
    "conflict",
    "The button was pressed on a page of another site. Open the link itself and press it there.",
  );
}

function seeOther(ctx: HttpContext, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
}
