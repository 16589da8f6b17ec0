import {
  type AppFile,
  Deadline,
  type PrintFormat,
} from "../../plugin-api/index.js";
import type { Renderer } from "../../rendering/index.js";
import { compileTemplate, type MergedDocument } from "../../compiler/index.js";
import type { NewTemplate } from "../../templates/check-template.js";
import type { FinishingDesk } from "../finishing/finishing-desk.js";
import { mergeRecord, type SampleParts } from "../merge-sample.js";
import type { PrintableDocument } from "../printable-document.js";
import { hashOf } from "../../templates/publish-template.js";
import { previewPages } from "./preview-pages.js";

export interface DraftPrinterParts extends Omit<SampleParts, "programs"> {
  finishing: FinishingDesk;
  renderer: Renderer;
  timeoutMs: number;
}

/** A checked definition and what it is printed with. */
export interface DraftPrint extends Pick<
  NewTemplate,
  "templateType" | "definition"
> {
  /** Without it, the definition's own sample. */
  data?: unknown;
  format: PrintFormat;
  /** Of the window that shows an email, in CSS px; by default as wide as the email is. */
  widthPx?: number | undefined;
}

/** Each keystroke makes another definition: the programs that documents are made with are not pushed out for them. */
const programs: SampleParts["programs"] = {
  program: async (source) =>
    compileTemplate(await source.definition(), source.templateType),
};

interface Merged {
  owner: string;
  merged: MergedDocument;
  document: PrintableDocument;
}

/** Makes the very file that a definition nobody has saved would give. Nothing is stored or counted. */
export class DraftPrinter {
  constructor(private readonly parts: DraftPrinterParts) {}

  /**
   * Codes that cannot be drawn are placeholders. @param cancelled ends it early.
   * @throws PlatenError `merge_failed`, or as `Renderer.pdf`.
   */
  async print(
    owner: string,
    print: DraftPrint,
    cancelled?: AbortSignal,
  ): Promise<AppFile> {
    const { templateType, definition, format, widthPx } = print;
    const deadline = Deadline.after(this.parts.timeoutMs, cancelled);
    const { merged, document } = await mergeRecord(
      { ...this.parts, programs },
      {
        organizationId: owner,
        templateType,
        definition,
        definitionHash: hashOf(definition),
      },
      {
        data: print.data ?? definition.sample ?? {},
        invalidCodes: "placeholder",
      },
      deadline,
    );
    const made = { owner, merged, document };
    if (format === "html") return htmlOf(document);
    if (format === "pdf") return this.#pdf(made, deadline);
    return templateType === "email"
      ? this.#window(made, widthPx, deadline)
      : this.#page(made, deadline);
  }

  async #pdf(made: Merged, deadline: Deadline): Promise<AppFile> {
    const { owner, merged, document } = made;
    const plan = await this.parts.finishing.plan(
      { organizationId: owner, formats: ["pdf"], renderOptions: undefined },
      { title: document.title, pdf: merged.pdf, signNonce: null },
    );
    const { bytes: printed } = await this.parts.renderer.pdf({
      ...document,
      ...plan.structure,
      owner,
      deadline,
    });
    const bytes = plan.finish
      ? (await plan.finish(printed, deadline)).bytes
      : printed;
    return { bytes, mimeType: "application/pdf" };
  }

  async #page(
    { owner, document }: Merged,
    deadline: Deadline,
  ): Promise<AppFile> {
    const { renderer } = this.parts;
    const { bytes: pdf, pages } = await renderer.pdf({
      ...document,
      owner,
      deadline,
    });
    const all = { pdf, pages, sheet: document.page };
    const [first] = await previewPages(renderer, all, "first", deadline);
    return pngOf(first?.bytes ?? Buffer.alloc(0));
  }

  async #window(
    { owner, document: { html, page } }: Merged,
    widthPx: number = page.windowPx ?? page.widthPx,
    deadline: Deadline,
  ): Promise<AppFile> {
    const { bytes } = await this.parts.renderer.screenshot({
      html,
      owner,
      widthPx,
      type: "png",
      scale: 1,
      deadline,
    });
    return pngOf(bytes);
  }
}

function htmlOf({ html }: PrintableDocument): AppFile {
  return { bytes: Buffer.from(html), mimeType: "text/html; charset=utf-8" };
}

function pngOf(bytes: Buffer): AppFile {
  return { bytes, mimeType: "image/png" };
}
