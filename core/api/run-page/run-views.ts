import type { Log } from "../../plugin-api/index.js";
import type { OpenLink, Runs } from "../../integrations/platforms/index.js";
import { formatsInWords } from "./file-words.js";
import { type ProgressView, progressView } from "./progress-view.js";
import type { RunPages } from "./run-pages.js";

/** What changes on the page of a run: texts by the id of the element that holds them. */
export interface RunState {
  title: string;
  parts: Record<string, string>;
  value: number;
  isOver: boolean;
}

export interface RunViewParts {
  runs: Runs;
  /** Where a template's picture is. */
  thumbnailUrl(templateId: string, definitionHash: string): string;
}

const mostNames = 12;

/** Draws the pages of links from what the rooms tell. */
export class RunViews {
  constructor(
    private readonly parts: RunViewParts,
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
    const shown = recordIds.slice(0, mostNames);
    const url = this.parts.thumbnailUrl(link.templateId, definitionHash);
    return this.pages.page("confirm", {
      title: `${link.name}: create documents`,
      linkName: link.name,
      tableName: link.tableName,
      fieldName: link.fieldName,
      overwriteExisting: link.overwriteExisting,
      formats: formatsInWords(link.formats),
      picture: pathOf(url),
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
      run: progressView(progress, open.link.fieldName),
      filesUntil: filesUntil ? untilInWords(new Date(filesUntil)) : "",
    };
  }
}

/** Pages lead to themselves only, whatever name of the service they were asked under. */
function pathOf(url: string): string {
  return new URL(url).pathname;
}

function untilInWords(time: Date): string {
  const words = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `Files can be downloaded here until ${words.format(time)} (UTC).`;
}
