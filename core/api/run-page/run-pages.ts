import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import nunjucks from "nunjucks";
import type {
  OpenLink,
  Runs,
  RunDocument,
  RunProgress,
} from "../../integrations/platforms/index.js";
import type { Log, Format } from "../../plugin-api/index.js";
import { formatSize } from "../../plugin-api/languages.js";
import {
  type HttpContext,
  type HttpMiddleware,
  logError,
  toPublicError,
} from "../middleware.js";
import { describeError } from "./error-messages.js";
import { type Translate, getTranslate, languages } from "./messages.js";

/** What changes on the page of a run: texts by the id of the element that holds them. */
export interface RunState {
  title: string;
  parts: Record<string, string>;
  value: number;
  isOver: boolean;
}

export interface RunViewServices {
  runs: Runs;
  thumbnailUrl(templateId: string, definitionHash: string): string;
}

const maxNames = 12;

/** Renders the pages of links. */
export class RunViews {
  constructor(
    private readonly parts: RunViewServices,
    private readonly pages: RunPages,
  ) {}

  /** The question, and what will be made. */
  async confirm(
    open: OpenLink,
    requestedIds: readonly string[],
    request: PageRequest,
    log: Log,
  ): Promise<string> {
    const { link } = open;
    const preview = await this.parts.runs.preview(open, requestedIds, log);
    const { recordIds, names, templateName, definitionHash } = preview;
    if (recordIds.length === 0) return this.nothing(link, request);
    const shownIds = recordIds.slice(0, maxNames);
    const url = this.parts.thumbnailUrl(link.templateId, definitionHash);
    const { t, language } = request;
    return this.pages.page("confirm", request, {
      title: t("confirmTitle", { name: link.name }),
      linkName: link.name,
      tableName: link.tableName,
      fieldName: link.fieldName,
      overwriteExisting: link.overwriteExisting,
      formats: describeFormats(link.formats, t, language),
      worksUntil:
        link.expiresAt &&
        t("timeUtc", { time: formatTime(link.expiresAt, language) }),
      // Pages lead to themselves only, whatever name of the service they were asked under.
      picture: new URL(url).pathname,
      templateName,
      count: recordIds.length,
      selection: describeRecords(link, t),
      hasMore: preview.hasMore,
      // Records with a file are no longer selected, so that the next press takes those after them.
      isRefilled: link.records !== null && "emptyAttachment" in link.records,
      missing: preview.missing,
      names: shownIds.map((id) => names[id] ?? id),
      more: recordIds.length - shownIds.length,
      form: preview.form,
    });
  }

  /** Says that the link selects no record at present. */
  private nothing(link: OpenLink["link"], request: PageRequest): string {
    const { t, here } = request;
    return this.pages.page("problem", request, {
      title: t("nothingToCreate"),
      lines: [describeNone(link, t)],
      retry: here,
    });
  }

  /** The progress of a run, as a whole page. */
  async progress(
    open: OpenLink,
    id: string,
    request: PageRequest,
  ): Promise<string> {
    const { run, filesUntil } = await this.look(open, id, request);
    return this.pages.page("progress", request, {
      title: `${open.link.name}: ${this.pages.part("heading", request, run)}`,
      linkName: open.link.name,
      until: filesUntil,
      run,
    });
  }

  /** The progress of a run, as changes of its page. */
  async state(
    open: OpenLink,
    id: string,
    request: PageRequest,
  ): Promise<RunState> {
    const { run, filesUntil } = await this.look(open, id, request);
    const heading = this.pages.part("heading", request, run);
    const rows = run.items.map((item, at) => [
      `row-${at}`,
      this.pages.row(item, request),
    ]);
    return {
      title: `${open.link.name}: ${heading}`,
      parts: {
        heading,
        summary: this.pages.part("summary", request, run),
        ...Object.fromEntries(rows),
        actions: this.pages.part("actions", request, run),
        foot: filesUntil,
      },
      value: run.value,
      isOver: run.isOver,
    };
  }

  private async look(
    open: OpenLink,
    id: string,
    request: PageRequest,
  ): Promise<{ run: ProgressView; filesUntil: string }> {
    const { t, language } = request;
    const progress = await this.parts.runs.progress(open, id);
    const { filesUntil } = progress;
    return {
      run: toProgressView(progress, open.link.fieldName, request),
      filesUntil: filesUntil
        ? t("filesUntil", { time: formatTime(new Date(filesUntil), language) })
        : "",
    };
  }
}

function formatTime(time: Date, language: string): string {
  // The day comes before the month, as in most countries where English is spoken.
  const locale = language === "en" ? "en-GB" : language;
  return new Intl.DateTimeFormat(locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(time);
}

/** One document in the list. */
interface ProgressItem {
  name: string;
  /** Waits, is worked on, is good, is made but not saved, or is not made. */
  mark: "wait" | "busy" | "good" | "warn" | "bad";
  state: string;
  /** For the link's creator. */
  detail: string | null;
  files: { url: string; name: string; kind: string; size: string }[];
}

interface ProgressView {
  total: number;
  ready: number;
  lost: number;
  /** Files that could not be saved in the table. */
  unsaved: number;
  isOver: boolean;
  /** All are made, and some not saved yet. */
  isSaving: boolean;
  /** Where they are saved; null: nowhere. */
  field: string | null;
  value: number;
  max: number;
  items: ProgressItem[];
  /** Documents that are not listed. */
  more: number;
}

function toProgressView(
  run: RunProgress,
  field: string | null,
  request: PageRequest,
): ProgressView {
  const { total, ready, lost, writeBack, isOver, documents } = run;
  const saved = (writeBack?.succeeded ?? 0) + (writeBack?.failed ?? 0);
  const isSavingToo = writeBack !== null;
  return {
    total,
    ready,
    lost,
    unsaved: writeBack?.failed ?? 0,
    isOver,
    isSaving: !isOver && ready + lost === total,
    field: isSavingToo ? field : null,
    value: ready + lost + (isSavingToo ? saved + lost : 0),
    max: isSavingToo ? 2 * total : total,
    items: documents.map((document) => toProgressItem(document, request)),
    more: total - documents.length,
  };
}

function toProgressItem(
  document: RunDocument,
  { t, language }: PageRequest,
): ProgressItem {
  const files = document.files.map(({ url, name, sizeBytes }) => ({
    url,
    name,
    /** The badge beside the name. */
    kind: (/\.(\w{1,4})$/.exec(name)?.[1] ?? "file").toUpperCase(),
    size: formatSize(sizeBytes, language),
  }));
  return { name: document.name, files, ...describeState(document, t) };
}

type ItemState = Pick<ProgressItem, "mark" | "state" | "detail">;

function describeState(document: RunDocument, t: Translate): ItemState {
  const { status, error } = document;
  if (status === "succeeded") return describeSavedState(document, t);
  if (status === "queued")
    return { mark: "wait", state: t("documentWaiting"), detail: null };
  if (status === "rendering")
    return { mark: "busy", state: t("documentRendering"), detail: null };
  const state =
    status === "expired" ? t("documentExpired") : t("documentFailed");
  return { mark: "bad", state, detail: error };
}

function describeSavedState(
  { writeBack }: RunDocument,
  t: Translate,
): ItemState {
  if (writeBack === null)
    return { mark: "good", state: t("documentReady"), detail: null };
  const { field, state } = writeBack;
  if (state === "saved")
    return { mark: "good", state: t("documentSaved", { field }), detail: null };
  if (state === "pending")
    return {
      mark: "busy",
      state: t("documentSaving", { field }),
      detail: null,
    };
  return {
    mark: "warn",
    state: t("documentNotSaved", { field }),
    detail: writeBack.error,
  };
}

/** Which records a link takes; null when its address names them. */
function describeRecords(
  { records, fieldName }: OpenLink["link"],
  t: Translate,
): string | null {
  if (records === null) return null;
  if ("viewId" in records) return t("allInView", { view: records.viewName });
  return "filter" in records
    ? t("allMatching")
    : t("allWithoutFile", { field: fieldName ?? "" });
}

function describeNone(
  { records, tableName: table, fieldName }: OpenLink["link"],
  t: Translate,
): string {
  if (records && "viewId" in records)
    return t("noneInView", { view: records.viewName });
  return records && "emptyAttachment" in records
    ? t("noneWithoutFile", { table, field: fieldName ?? "" })
    : t("noneMatching", { table });
}

/** Such as `A PDF and a picture`. */
function describeFormats(
  formats: readonly Format[],
  t: Translate,
  language: string,
): string {
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  const all = list.format(formats.map((format) => t(format)));
  return all.charAt(0).toUpperCase() + all.slice(1);
}

const folder = fileURLToPath(new URL(".", import.meta.url));

function fileText(name: string): string {
  return readFileSync(folder + name, "utf8");
}

/** The variables of a template. */
type Context = Record<string, unknown>;

interface PageRequest {
  /** The page's own path. */
  here: string;
  language: string;
  t: Translate;
}

export function toPageRequest(ctx: HttpContext, here: string): PageRequest {
  const language = ctx.acceptsLanguages([...languages]) || "en";
  return { here, language, t: getTranslate(language) };
}

/** Own styles, scripts and fonts alone; pictures are ours, and the empty icon is a data URL. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

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

  private readonly calls = new Map<string, nunjucks.Template>();

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
    return this.call(name, parameters, { ...request, run });
  }

  row(item: object, { t }: PageRequest): string {
    return this.call("row", "item, t", { item, t });
  }

  /** Compiles each call once: pages that are open ask for their parts again and again. */
  private call(name: string, parameters: string, context: Context): string {
    let call = this.calls.get(name);
    if (!call) {
      const text = `{% from "parts.njk" import ${name} %}{{ ${name}(${parameters}) }}`;
      call = nunjucks.compile(text, this.templates);
      this.calls.set(name, call);
    }
    return call.render(context).trim();
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
      if (/\/(?:state|events)$/.test(ctx.path)) throw thrown;
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
