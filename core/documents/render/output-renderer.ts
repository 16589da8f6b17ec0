import type { OutputFile } from "../files/output-files.js";
import type { PrintableDocument } from "./printable-document.js";
import { encodeUtf8 } from "../../lib/utf8.js";
import {
  type Format,
  type ImageType,
  formatError,
  PlatenError,
} from "../../plugin-api/index.js";
import type {
  PrintedPdf,
  PrintFlaws,
  Renderer,
} from "../../rendering/index.js";
import type { Finished } from "../../rendering/pdf/index.js";
import type { PdfPlan } from "./pdf-post-processor.js";
import {
  type Preview,
  previewEmail,
  previewPages,
  type PreviewChoice,
  type Previews,
} from "../previews/previews.js";
import type { RenderJob } from "./render-request.js";
import type { EmbedFonts } from "./content/embedded-fonts.js";

/** A printable document and what its formats need beside the print. */
interface OutputSource extends PrintableDocument, Pick<PdfPlan, "finish"> {
  /** The html format's text. */
  htmlOutput: string;
  /** Null when it was not requested. */
  mjml: string | null;
  /** The electronic invoice; null when it was not requested. */
  xml: string | null;
}

/** Makes the files of one document, format by format; it is printed once for all formats that need it. */
export class OutputRenderer {
  #printed: Promise<PrintedPdf> | null = null;
  #pages: number | null = null;
  #finished: Finished | null = null;
  #flaws: PrintFlaws = { missingGlyphs: [], overflow: [] };

  constructor(
    private readonly renderer: Renderer,
    private readonly embedFonts: EmbedFonts,
    private readonly job: RenderJob,
    private readonly document: OutputSource,
  ) {}

  /** The flaws of the files made so far; text formats have none, since their reader's program lays them out. */
  get flaws(): PrintFlaws {
    return this.#flaws;
  }

  /** How many pages were printed; null when nothing was. */
  get pages(): number | null {
    return this.#pages;
  }

  /** The edited PDF; null when it is as it was printed, or not made. */
  get finishedPdf(): Finished | null {
    return this.#finished;
  }

  async renderAll(formats: readonly Format[]): Promise<OutputFile[]> {
    const all: OutputFile[] = [];
    const { mjml, xml } = this.document;
    for (const format of formats) {
      if (format === "html")
        all.push(createOutputFile("html", await this.#renderHtml()));
      if (format === "mjml") all.push(createOutputFile("mjml", mjml ?? ""));
      if (format === "xml") all.push(createOutputFile("xml", xml ?? ""));
      if (format === "pdf")
        all.push(createOutputFile("pdf", await this.#renderPdf()));
      if (format === "image") all.push(...(await this.#renderImages()));
    }
    return all;
  }

  /** The fonts that a document uses are known once it is printed. */
  async #renderHtml(): Promise<string> {
    const { htmlOutput, deadline } = this.document;
    const { renderOptions, timer } = this.job;
    if (renderOptions?.html?.embedFonts !== true) return htmlOutput;
    const { bytes } = await this.#print();
    return timer.time("fonts", () =>
      this.embedFonts(htmlOutput, bytes, deadline),
    );
  }

  /** A document does not fail because its previews do. */
  async renderPreviews(choice: PreviewChoice): Promise<Previews> {
    if (choice === "none") return { pictures: [], problem: null };
    try {
      return { pictures: await this.#drawPreviews(choice), problem: null };
    } catch (error) {
      const isOurs = error instanceof PlatenError;
      if (!isOurs || this.document.deadline.signal.aborted) throw error;
      return { pictures: [], problem: formatError(error) };
    }
  }

  async #drawPreviews(choice: "first" | "all"): Promise<Preview[]> {
    const { renderer } = this;
    const { template, timer } = this.job;
    const { owner, page: sheet, deadline } = this.document;
    if (template.templateType === "email")
      return timer.time("preview", () =>
        previewEmail(renderer, this.#getEmailWindow(), choice, deadline),
      );
    const { bytes: pdf, pages } = await this.#print();
    const printed = { pdf, pages, owner, sheet };
    return timer.time("preview", () =>
      previewPages(renderer, printed, choice, deadline),
    );
  }

  /** Images are drawn from the printed PDF, which has no password and no joined files. */
  async #renderPdf(): Promise<Buffer> {
    const { finish, deadline } = this.document;
    const { bytes } = await this.#print();
    if (finish === null) return bytes;
    this.#finished = await this.job.timer.time("finish", () =>
      finish(bytes, deadline),
    );
    return this.#finished.bytes;
  }

  #print(): Promise<PrintedPdf> {
    this.#printed ??= this.#printOnce();
    return this.#printed;
  }

  async #printOnce(): Promise<PrintedPdf> {
    const { timer } = this.job;
    this.document.deadline.check("printing");
    timer.begin("print");
    const printed = await this.renderer.pdf(this.document);
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
  async #renderImages(): Promise<OutputFile[]> {
    const { renderOptions, template, timer } = this.job;
    const pages = renderOptions?.pages;
    if (pages === undefined && template.templateType === "email")
      return timer.time("draw", () => this.#takeScreenshot());
    const { bytes } = await this.#print();
    return timer.time("draw", () => this.#drawPages(bytes, pages));
  }

  async #drawPages(
    pdf: Buffer,
    pages: string | undefined,
  ): Promise<OutputFile[]> {
    const isSingle = this.job.renderOptions?.singleImage ?? false;
    const { owner, deadline } = this.document;
    const options = this.#getImageOptions();
    const images = await this.renderer.images({
      pdf,
      ...options,
      pages: pages ?? (isSingle ? "all" : "1"),
      isSingle,
      owner,
      deadline,
    });
    const { type } = options;
    return pages === undefined || isSingle
      ? images.map(({ bytes }) => createImageFile(type, bytes))
      : createPageFiles(type, images);
  }

  async #takeScreenshot(): Promise<OutputFile[]> {
    const options = this.#getImageOptions();
    const screenshot = await this.renderer.screenshot({
      ...this.#getEmailWindow(),
      ...options,
      deadline: this.document.deadline,
    });
    this.#addFlaws(screenshot);
    return [createImageFile(options.type, screenshot.bytes)];
  }

  #getImageOptions() {
    const { imageType, renderOptions } = this.job;
    const { deviceScaleFactor: scale, quality } = renderOptions ?? {};
    return { type: imageType, scale, quality };
  }

  #getEmailWindow() {
    const { html, owner, page } = this.document;
    return { html, owner, widthPx: page.windowPx ?? page.widthPx };
  }
}

const MIME_TYPES = {
  pdf: "application/pdf",
  html: "text/html",
  mjml: "text/mjml",
  xml: "application/xml",
} as const;

function createOutputFile(
  format: keyof typeof MIME_TYPES,
  content: Buffer | string,
): OutputFile {
  const mimeType = MIME_TYPES[format];
  const file = { format, label: format, mimeType, extension: format };
  return typeof content === "string"
    ? { ...file, bytes: encodeUtf8(content), text: content }
    : { ...file, bytes: content };
}

function createImageFile(type: ImageType, bytes: Buffer): OutputFile {
  const mimeType = type === "png" ? "image/png" : "image/jpeg";
  return { format: "image", label: "image", mimeType, extension: type, bytes };
}

/** Images of the requested pages; the first is the document's `image`. */
function createPageFiles(
  type: ImageType,
  images: readonly { page: number; bytes: Buffer }[],
): OutputFile[] {
  return images.map(({ page, bytes }, index) => ({
    ...createImageFile(type, bytes),
    ...(index > 0 && { label: `image-${page}` }),
    page,
  }));
}
