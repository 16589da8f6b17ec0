import type {
  OpenLink,
  Runs,
  RunDocument,
  RunProgress,
} from "../../integrations/platforms/index.js";
import type { Log, Format } from "../../plugin-api/index.js";
import type { RunPages } from "./run-pages.js";

/** What changes on the page of a run: texts by the id of the element that holds them. */
export interface RunState {
  title: string;
  parts: Record<string, string>;
  value: number;
  isOver: boolean;
}

export interface RunViewServices {
  runs: Runs;
  /** Where a template's picture is. */
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
    asked: readonly string[],
    here: string,
    log: Log,
  ): Promise<string> {
    const { link } = open;
    const preview = await this.parts.runs.preview(open, asked, log);
    const { recordIds, names, templateName, definitionHash } = preview;
    const shown = recordIds.slice(0, maxNames);
    const url = this.parts.thumbnailUrl(link.templateId, definitionHash);
    return this.pages.page("confirm", {
      title: `${link.name}: create documents`,
      linkName: link.name,
      tableName: link.tableName,
      fieldName: link.fieldName,
      overwriteExisting: link.overwriteExisting,
      formats: describeFormats(link.formats),
      picture: getPath(url),
      templateName,
      count: recordIds.length,
      missing: preview.missing,
      names: shown.map((id) => names[id] ?? id),
      more: recordIds.length - shown.length,
      form: preview.form,
      here,
    });
  }

  /** How far it is, as a whole page. */
  async progress(open: OpenLink, id: string, here: string): Promise<string> {
    const { run, filesUntil } = await this.look(open, id);
    return this.pages.page("progress", {
      title: `${open.link.name}: ${this.pages.part("heading", { run, here })}`,
      linkName: open.link.name,
      until: filesUntil,
      run,
      here,
    });
  }

  /** How far it is, as what is to change on the page. */
  async state(open: OpenLink, id: string, here: string): Promise<RunState> {
    const { run, filesUntil } = await this.look(open, id);
    const context = { run, here };
    const heading = this.pages.part("heading", context);
    const rows = run.items.map((item, at) => [
      `row-${at}`,
      this.pages.row(item, here),
    ]);
    return {
      title: `${open.link.name}: ${heading}`,
      parts: {
        heading,
        summary: this.pages.part("summary", context),
        ...Object.fromEntries(rows),
        actions: this.pages.part("actions", context),
        foot: filesUntil,
      },
      value: run.value,
      isOver: run.isOver,
    };
  }

  private async look(
    open: OpenLink,
    id: string,
  ): Promise<{ run: ProgressView; filesUntil: string }> {
    const progress = await this.parts.runs.progress(open, id);
    const { filesUntil } = progress;
    return {
      run: toProgressView(progress, open.link.fieldName),
      filesUntil: filesUntil ? describeExpiry(new Date(filesUntil)) : "",
    };
  }
}

/** Pages lead to themselves only, whatever name of the service they were asked under. */
function getPath(url: string): string {
  return new URL(url).pathname;
}

function describeExpiry(time: Date): string {
  const words = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `Files can be downloaded here until ${words.format(time)} (UTC).`;
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

/** A run as its page shows it. */
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

function toProgressView(run: RunProgress, field: string | null): ProgressView {
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
    items: documents.map(toProgressItem),
    more: total - documents.length,
  };
}

function toProgressItem(document: RunDocument): ProgressItem {
  const files = document.files.map(({ url, name, sizeBytes }) => ({
    url,
    name,
    kind: getFileKind(name),
    size: formatSize(sizeBytes),
  }));
  return { name: document.name, files, ...describeState(document) };
}

type ItemState = Pick<ProgressItem, "mark" | "state" | "detail">;

function describeState(document: RunDocument): ItemState {
  const { status, error } = document;
  if (status === "succeeded") return describeSavedState(document);
  if (status === "queued")
    return { mark: "wait", state: "Waiting for its turn", detail: null };
  if (status === "rendering")
    return { mark: "busy", state: "Being made…", detail: null };
  const state =
    status === "expired"
      ? "Not made: it took too long."
      : "Not made: something in the record or the template does not fit.";
  return { mark: "bad", state, detail: error };
}

function describeSavedState({ writeBack }: RunDocument): ItemState {
  if (writeBack === null) return { mark: "good", state: "Ready", detail: null };
  const where = `“${writeBack.field}”`;
  if (writeBack.state === "saved")
    return { mark: "good", state: `Saved in ${where}`, detail: null };
  if (writeBack.state === "pending")
    return { mark: "busy", state: `Being saved in ${where}…`, detail: null };
  return {
    mark: "warn",
    state: `Made, but not saved in ${where}.`,
    detail: writeBack.error,
  };
}

const formatNames: Record<Format, string> = {
  pdf: "a PDF",
  html: "a web page",
  image: "a picture",
  mjml: "an email source",
};

/** Such as `A PDF and a picture`. */
function describeFormats(formats: readonly Format[]): string {
  const words = formats.map((format) => formatNames[format]);
  const last = words.pop() ?? "";
  const all = words.length > 0 ? `${words.join(", ")} and ${last}` : last;
  return all.charAt(0).toUpperCase() + all.slice(1);
}

/** Such as `84 KB`. */
function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The badge beside a file's name. */
function getFileKind(filename: string): string {
  return (/\.(\w{1,4})$/.exec(filename)?.[1] ?? "file").toUpperCase();
}
