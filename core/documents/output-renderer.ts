import {
  type Deadline,
  errorText,
  type Format,
  PlatenError,
} from "../plugin-api/index.js";
import type { PrintedPdf, PrintFlaws, Renderer } from "../rendering/index.js";
import type { Finished } from "../rendering/pdf/index.js";
import {
  type Artifact,
  createArtifact,
  createImageArtifact,
  createPageArtifacts,
} from "./outputs.js";
import type { PdfPlan } from "./pdf-post-processor.js";
import {
  type Preview,
  previewEmail,
  previewPages,
  type PreviewChoice,
  type Previews,
} from "./previews/previews.js";
import type { PrintableDocument } from "./printable-document.js";
import type { RenderJob } from "./render-job.js";

/** What the files of one document are made from. */
interface OutputSource {
  document: PrintableDocument;
  /** The html format's text. */
  html: string;
  /** Null when it was not requested. */
  mjml: string | null;
  plan: PdfPlan;
}

/** Makes the files of one document, format by format; it is printed once for all formats that need it. */
export class OutputRenderer {
  #printed: Promise<PrintedPdf> | null = null;
  #pages: number | null = null;
  #finished: Finished | null = null;
  #flaws: PrintFlaws = { missingGlyphs: [], overflow: [] };

  constructor(
    private readonly renderer: Renderer,
    private readonly source: OutputSource,
    private readonly job: Pick<RenderJob, "request" | "template" | "timer">,
    private readonly deadline: Deadline,
  ) {}

  /** The flaws of the files made so far; text formats have none, since their reader's program lays them out. */
  get flaws(): PrintFlaws {
    return this.#flaws;
  }

  /** How many pages were printed; null when nothing was. */
  get pages(): number | null {
    return this.#pages;
  }

  /** The PDF, once it was made. */
  get finishedPdf(): Finished | null {
    return this.#finished;
  }

  async renderAll(formats: readonly Format[]): Promise<Artifact[]> {
    const all: Artifact[] = [];
    const { html, mjml } = this.source;
    for (const format of formats) {
      if (format === "html") all.push(createArtifact("html", html));
      if (format === "mjml") all.push(createArtifact("mjml", mjml ?? ""));
      if (format === "pdf")
        all.push(createArtifact("pdf", await this.#renderPdf()));
      if (format === "image") all.push(...(await this.#renderImages()));
    }
    return all;
  }

  /** A document does not fail because its previews do. */
  async renderPreviews(choice: PreviewChoice): Promise<Previews> {
    if (choice === "none") return { pictures: [], problem: null };
    try {
      return { pictures: await this.#drawPreviews(choice), problem: null };
    } catch (error) {
      const isOurs = error instanceof PlatenError;
      if (!isOurs || this.deadline.signal.aborted) throw error;
      return { pictures: [], problem: errorText(error) };
    }
  }

  async #drawPreviews(choice: "first" | "all"): Promise<Preview[]> {
    const { renderer, deadline } = this;
    const { template, timer } = this.job;
    if (template.templateType === "email")
      return timer.time("preview", () =>
        previewEmail(renderer, this.#getEmailWindow(), choice, deadline),
      );
    const { bytes: pdf, pages } = await this.#print();
    const printed = { pdf, pages, sheet: this.source.document.page };
    return timer.time("preview", () =>
      previewPages(renderer, printed, choice, deadline),
    );
  }

  /** Images are drawn from the printed PDF, which has no password and no joined files. */
  async #renderPdf(): Promise<Buffer> {
    const { deadline } = this;
    const { finish } = this.source.plan;
    const { bytes: printed, pages } = await this.#print();
    this.#finished =
      finish === null
        ? { bytes: printed, pages, marks: [] }
        : await this.job.timer.time("finish", () => finish(printed, deadline));
    return this.#finished.bytes;
  }

  #print(): Promise<PrintedPdf> {
    this.#printed ??= this.#printOnce();
    return this.#printed;
  }

  async #printOnce(): Promise<PrintedPdf> {
    const { renderer, deadline } = this;
    const { request, timer } = this.job;
    const { document, plan } = this.source;
    deadline.check("printing");
    timer.begin("print");
    const printed = await renderer.pdf({
      ...document,
      ...plan.structure,
      owner: request.organizationId,
      deadline,
    });
    const { phases } = printed;
    timer.add("queue", phases.queueMs);
    timer.add("print", phases.printMs + (phases.overlayMs ?? 0));
    this.#addFlaws(printed);
    this.#pages = printed.pages;
    return printed;
  }

  /** The PDF and the screenshot of an email show the same characters at different widths. */
  #addFlaws({ missingGlyphs, overflow }: PrintFlaws): void {
    const all = [...this.#flaws.overflow, ...overflow];
    this.#flaws = { missingGlyphs, overflow: all };
  }

  /** The requested pages; by default the first page or, for an email, which has no pages, all of it. */
  async #renderImages(): Promise<Artifact[]> {
    const { request, template, timer } = this.job;
    const pages = request.renderOptions?.pages;
    if (pages === undefined && template.templateType === "email")
      return timer.time("draw", () => this.#takeScreenshot());
    const { bytes } = await this.#print();
    return timer.time("draw", () => this.#drawPages(bytes, pages));
  }

  async #drawPages(
    pdf: Buffer,
    pages: string | undefined,
  ): Promise<Artifact[]> {
    const isSingle = this.job.request.renderOptions?.singleImage ?? false;
    const options = this.#getImageOptions();
    const images = await this.renderer.images({
      pdf,
      ...options,
      pages: pages ?? (isSingle ? "all" : "1"),
      isSingle,
      deadline: this.deadline,
    });
    const { type } = options;
    return pages === undefined || isSingle
      ? images.map(({ bytes }) => createImageArtifact(type, bytes))
      : createPageArtifacts(type, images);
  }

  async #takeScreenshot(): Promise<Artifact[]> {
    const options = this.#getImageOptions();
    const screenshot = await this.renderer.screenshot({
      ...this.#getEmailWindow(),
      ...options,
      deadline: this.deadline,
    });
    this.#addFlaws(screenshot);
    return [createImageArtifact(options.type, screenshot.bytes)];
  }

  #getImageOptions() {
    const { imageType, renderOptions } = this.job.request;
    const { deviceScaleFactor: scale, quality } = renderOptions ?? {};
    return { type: imageType, scale, quality };
  }

  #getEmailWindow() {
    const { html, page } = this.source.document;
    const owner = this.job.request.organizationId;
    return { html, owner, widthPx: page.windowPx ?? page.widthPx };
  }
}
