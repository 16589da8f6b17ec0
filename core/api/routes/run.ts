import { Readable } from "node:stream";
import { Router } from "@koa/router";
import {
  type RateLimits,
  assertWithinRateLimit,
} from "../../accounts/index.js";
import type { Links, OpenLink } from "../../integrations/platforms/index.js";
import { clock } from "../../lib/clock.js";
import { getBasePath } from "../../lib/process-values.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { HttpContext, HttpState } from "../middleware.js";
import { formField } from "../request-body.js";
import { StaticFiles } from "../static-files.js";
import {
  RunPages,
  sendPage,
  showErrorPages,
  toPageRequest,
  RunViews,
  type RunViewServices,
  type RunState,
} from "../run-page/run-pages.js";

interface RunServices extends RunViewServices {
  links: Pick<Links, "open">;
  rateLimits: Pick<RateLimits, "count">;
  baseUrl: string;
  /** Where the build has put the pages' font. */
  runFontFolder: string;
  /** Fires when the service begins to end. */
  draining: AbortSignal;
}

const runPath = "/run/:token/:runId";

/**
 * The pages behind links: ask, make, show how far it is. They need no key: the token in the address is the proof. GET
 * makes nothing, so that whatever looks at an address by itself does no harm.
 */
export function runRoutes(services: RunServices): Router<HttpState> {
  const at = getBasePath(services.baseUrl);
  const pages = new RunPages(at);
  const router = new Router<HttpState>();
  addFiles(router, pages);
  addFont(router, new StaticFiles(services.runFontFolder));
  router.use("/run/:token", showErrorPages(pages, at));
  const views = new RunViews(services, pages);
  addConfirmPage(router, services, views, at);
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

/** The studio's font; without it, the pages have one of the reader's system. */
function addFont(router: Router<HttpState>, files: StaticFiles): void {
  router.get("/run/font/*path", async (ctx) => {
    const name = ctx.path.slice("/run/font/".length);
    if (!(await files.has(name)))
      throw new PlatenError("not_found", `There is no file ${ctx.path}.`);
    await files.send(ctx, name, "public, max-age=604800");
  });
}

function addConfirmPage(
  router: Router<HttpState>,
  services: RunServices,
  views: RunViews,
  at: string,
): void {
  router.get("/run/:token", async (ctx) => {
    const open = await openLink(ctx, services);
    await countRequest(services, open);
    const ids = parseRecordIds(ctx.URL.searchParams);
    const request = toPageRequest(ctx, at + ctx.path);
    sendPage(ctx, await views.confirm(open, ids, request, ctx.state.log));
  });
  router.post("/run/:token", async (ctx) => {
    refuseOtherSites(ctx);
    const open = await openLink(ctx, services);
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
    `${at}/run/${getParam(ctx, "token")}/${getParam(ctx, "runId")}`;
  const state = async (ctx: HttpContext) =>
    views.state(
      await openLink(ctx, services),
      getParam(ctx, "runId"),
      toPageRequest(ctx, here(ctx)),
    );
  router.get(runPath, async (ctx) => {
    const open = await openLink(ctx, services);
    const id = getParam(ctx, "runId");
    const request = toPageRequest(ctx, here(ctx));
    sendPage(ctx, await views.progress(open, id, request));
  });
  router.get(`${runPath}/state`, async (ctx) => {
    ctx.body = await state(ctx);
  });
  router.get(`${runPath}/events`, async (ctx) => {
    await state(ctx);
    ctx.type = "text/event-stream";
    ctx.set("x-accel-buffering", "no");
    const events = createEvents(() => state(ctx), services.draining);
    ctx.body = Readable.from(events, { objectMode: false });
  });
  router.post(`${runPath}/save-again`, async (ctx) => {
    refuseOtherSites(ctx);
    const open = await openLink(ctx, services);
    await countRequest(services, open);
    await services.runs.retryWriteBacks(open, getParam(ctx, "runId"));
    seeOther(ctx, here(ctx));
  });
}

function openLink(ctx: HttpContext, { links }: RunServices): Promise<OpenLink> {
  return links.open(getParam(ctx, "token"));
}

function getParam(ctx: HttpContext, name: string): string {
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
  const standing = await rateLimits.count(requester, clock.date());
  if (standing) assertWithinRateLimit(standing);
}

/** Rejects forms of other sites. For browsers without `Sec-Fetch-Site`, the form's signature alone protects. */
function refuseOtherSites(ctx: HttpContext): void {
  const from = ctx.get("sec-fetch-site");
  if (["", "same-origin", "none"].includes(from)) return;
  throw new PlatenError(
    "conflict",
    "The button was used from another website. Open the link itself and use its button.",
  );
}

function seeOther(ctx: HttpContext, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
}

const pollMs = 700;
const maxPollMs = 3000;
/** So often as long as its last look took, a page waits at least: many open pages leave the processor to their documents. */
const pausePerLook = 10;
/** So that proxies in between do not take the connection for a dead one. */
const heartbeatMs = 15_000;
/** Then the browser connects anew, maybe to another process. */
const maxStreamMs = 10 * 60_000;

/** A run's state whenever it changes, as server-sent events, until it is over or the service ends. */
async function* createEvents(
  look: () => Promise<RunState>,
  draining: AbortSignal,
): AsyncGenerator<string> {
  yield "retry: 2000\n\n";
  const heartbeat = clock.pause(heartbeatMs);
  const end = clock.now() + maxStreamMs;
  let lastText = "";
  let toldAt = clock.now();
  while (clock.now() < end && !draining.aborted) {
    const lookedAt = performance.now();
    const state = await look();
    const tookMs = performance.now() - lookedAt;
    const text = JSON.stringify(state);
    if (text !== lastText) yield `data: ${text}\n\n`;
    else if (clock.now() - toldAt > heartbeat) yield ": still here\n\n";
    if (text !== lastText || clock.now() - toldAt > heartbeat)
      toldAt = clock.now();
    lastText = text;
    if (state.isOver) return;
    const pauseMs = Math.min(
      Math.max(pollMs, pausePerLook * tookMs),
      maxPollMs,
    );
    await clock.sleep(pauseMs, draining).catch(() => undefined);
  }
}

/** `recordId`, once or several times, each with one id or several with commas between; each id once. */
function parseRecordIds(query: URLSearchParams): string[] {
  const ids = query
    .getAll("recordId")
    .flatMap((value) => value.split(","))
    .map((id) => id.trim())
    .filter((id) => id !== "");
  return [...new Set(ids)];
}
