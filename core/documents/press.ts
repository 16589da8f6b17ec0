import { type Deadline, errorText, PlatenError } from "../plugin-api/index.js";
import type { Finished } from "../rendering/pdf/index.js";
import type { PrintedPdf, PrintFlaws, Renderer } from "../rendering/index.js";
import {
  type Artifact,
  htmlArtifact,
  imageArtifact,
  mjmlArtifact,
  pageArtifacts,
  pdfArtifact,
} from "./artifact.js";
import type { PdfPlan } from "./finishing/finishing-desk.js";
import type { MergedRun } from "./merge-run.js";
import {
  type Preview,
  type Previews,
  previewEmail,
  previewPages,
} from "./previews/index.js";
import type { RenderRun } from "./render-run.js";

const PDF = ["pdf"] as const;

/** Makes the files of one document, format by format; it is printed once for all that need it. */
export class Press {
  private printed: Promise<PrintedPdf> | null = null;
  private pageCount: number | null = null;
  private done: Finished | null = null;
  private seen: PrintFlaws = { missingGlyphs: [], overflow: [] };

  constructor(
    private readonly renderer: Renderer,
    private readonly merged: Pick<MergedRun, "document" | "texts">,
    private readonly plan: PdfPlan,
    private readonly run: Pick<RenderRun, "request" | "template" | "timer">,
    private readonly deadline: Deadline,
  ) {}

  /** What the files that were made so far lack; text has the fonts and the width of whoever reads it. */
  get flaws(): PrintFlaws {
    return this.seen;
  }

  /** How many pages were printed; null when nothing was. */
  get pages(): number | null {
    return this.pageCount;
  }

  /** The PDF, once it was made. */
  get finishedPdf(): Finished | null {
    return this.done;
  }

  /** In the order in which they were asked for; what is to be signed is a PDF, asked for or not. */
  async artifacts(): Promise<Artifact[]> {
    const all: Artifact[] = [];
    const { texts } = this.merged;
    const { formats, signing } = this.run.request;
    for (const format of new Set([...formats, ...(signing ? PDF : [])])) {
      if (format === "html") all.push(htmlArtifact(texts.html));
      if (format === "mjml") all.push(mjmlArtifact(texts.mjml ?? ""));
      if (format === "pdf") all.push(pdfArtifact(await this.finished()));
      if (format === "image") all.push(...(await this.images()));
    }
    return all;
  }

  /** For a quick look; what was printed already is not printed again. A document does not fail for them. */
  async previews(): Promise<Previews> {
    const { preview } = this.run.request;
    if (preview === "none") return { pictures: [], problem: null };
    try {
      return { pictures: await this.drawPreviews(preview), problem: null };
    } catch (error) {
      const isOurs = error instanceof PlatenError;
      if (!isOurs || this.deadline.signal.aborted) throw error;
      return { pictures: [], problem: errorText(error) };
    }
  }

  private async drawPreviews(preview: "first" | "all"): Promise<Preview[]> {
    if (this.run.template.templateType === "email")
      return this.run.timer.time("preview", () => this.emailPreviews(preview));
    const { bytes: pdf, pages } = await this.pdf();
    const printed = { pdf, pages, sheet: this.merged.document.page };
    return this.run.timer.time("preview", () =>
      previewPages(this.renderer, printed, preview, this.deadline),
    );
  }

  private emailPreviews(choice: "first" | "all"): Promise<Preview[]> {
    return previewEmail(this.renderer, this.shown(), choice, this.deadline);
  }

  /** Pictures are drawn from what was printed: it has no password, and nothing joined to it. */
  private async finished(): Promise<Buffer> {
    const { plan, run, deadline } = this;
    const { bytes: printed, pages } = await this.pdf();
    const { finish } = plan;
    this.done =
      finish === null
        ? { bytes: printed, pages, marks: [] }
        : await run.timer.time("finish", () => finish(printed, deadline));
    return this.done.bytes;
  }

  private pdf(): Promise<PrintedPdf> {
    this.printed ??= this.print();
    return this.printed;
  }

  private async print(): Promise<PrintedPdf> {
    const { renderer, deadline, run, plan } = this;
    const { document } = this.merged;
    deadline.check("printing");
    run.timer.begin("print");
    const printed = await renderer.pdf({
      ...document,
      ...plan.structure,
      owner: run.request.organizationId,
      deadline,
    });
    const { phases } = printed;
    run.timer.add("queue", phases.queueMs);
    run.timer.add("print", phases.printMs + (phases.overlayMs ?? 0));
    this.note(printed);
    this.pageCount = printed.pages;
    return printed;
  }

  /** Print and picture of an email show the same characters in different widths. */
  private note({ missingGlyphs, overflow }: PrintFlaws): void {
    const all = [...this.seen.overflow, ...overflow];
    this.seen = { missingGlyphs, overflow: all };
  }

  /** The pages asked for; or else the first page; or else, of an email, which has no pages, all of it. */
  private async images(): Promise<Artifact[]> {
    const { request, template, timer } = this.run;
    const pages = request.renderOptions?.pages;
    if (pages === undefined && template.templateType === "email")
      return timer.time("draw", () => this.screenshot());
    const { bytes } = await this.pdf();
    return timer.time("draw", () => this.drawPages(bytes, pages));
  }

  private async drawPages(
    pdf: Buffer,
    pages: string | undefined,
  ): Promise<Artifact[]> {
    const { request } = this.run;
    const isSingle = request.renderOptions?.singleImage ?? false;
    const choice = pages ?? (isSingle ? "all" : "1");
    const { type, ...look } = this.look();
    const job = { pdf, type, ...look, pages: choice, isSingle };
    const images = await this.renderer.images({
      ...job,
      deadline: this.deadline,
    });
    return pages === undefined || isSingle
      ? images.map(({ bytes }) => imageArtifact(type, bytes))
      : pageArtifacts(type, images);
  }

  private look() {
    const { imageType, renderOptions } = this.run.request;
    const { deviceScaleFactor: scale, quality } = renderOptions ?? {};
    return { type: imageType, scale, quality };
  }

  private async screenshot(): Promise<Artifact[]> {
    const look = this.look();
    const shot = await this.renderer.screenshot({
      ...this.shown(),
      ...look,
      deadline: this.deadline,
    });
    this.note(shot);
    return [imageArtifact(look.type, shot.bytes)];
  }

  /** An email in its window. */
  private shown() {
    const { html, page } = this.merged.document;
    const owner = this.run.request.organizationId;
    return { html, owner, widthPx: page.windowPx ?? page.widthPx };
  }
}
