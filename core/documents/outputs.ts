// The files of one document: what is printed, made in each format, stored with a link, and described in the response.
import {
  fitHeaders,
  type FontFace,
  inlineAssets,
  inlineFonts,
  linkVideos,
  type MergedDocument,
  overlayHtml,
} from "../compiler/index.js";
import { toFileName } from "../lib/file-name.js";
import { inject, injectable } from "../lib/injection.js";
import { FILE_STORE } from "../lib/tokens.js";
import {
  type FileStore,
  type Format,
  type ImageType,
  type Output,
  type Deadline,
  formatError,
  PlatenError,
} from "../plugin-api/index.js";
import type {
  PrintedPdf,
  PrintFlaws,
  Renderer,
  RunningHeaders,
} from "../rendering/index.js";
import type { Finished } from "../rendering/pdf/index.js";
import { newOutputKey, type StoredLinks } from "../storage/files/index.js";
import { STORED_LINKS } from "../storage/files/tokens.js";
import type { ResolvedAssets } from "./content/pictures.js";
import type { PdfPlan } from "./pdf-post-processor.js";
import {
  type Preview,
  previewEmail,
  previewPages,
  type PreviewChoice,
  type Previews,
} from "./previews/previews.js";
import type { RenderJob } from "./render-job.js";
import type { SignatureView } from "./signing.js";

/** A merged document with all its images and fonts inside: what is printed, and what the html format returns. */
export interface PrintableDocument {
  html: string;
  title: string;
  language: string;
  page: MergedDocument["page"];
  /** Page-sized html laid over the pages, for headers and footers that do not fit into margin boxes. */
  overlay?: (pages: number) => string;
  headers?: RunningHeaders & Pick<MergedHeaders, "screenStyle">;
}

type MergedHeaders = NonNullable<MergedDocument["headers"]>;

/** @param mergeAgain merges the same record with margins for headers and footers of these heights, in CSS px */
export function toPrintableDocument(
  merged: MergedDocument,
  { byToken, videos }: ResolvedAssets,
  fonts: readonly FontFace[],
  mergeAgain: (headerHeights: readonly number[]) => Promise<MergedDocument>,
): PrintableDocument {
  const { title, language, page, assets, overlay, headers } = merged;
  const inline = (text: string) => {
    const html = linkVideos(inlineFonts(text, fonts), videos);
    return inlineAssets({ html, assets }, byToken);
  };
  const inlineOverlay = (source: MergedDocument["overlay"]) =>
    source && {
      overlay: (pages: number) => inline(overlayHtml(source, pages)),
    };
  return {
    html: inline(merged.html),
    title,
    language,
    page,
    ...inlineOverlay(overlay),
    ...(headers && {
      headers: {
        widthPx: headers.widthPx,
        screenStyle: headers.screenStyle,
        html: () => inline(headers.html),
        fit: async (heights: readonly number[]) => {
          if (fitHeaders(headers, heights) === null) return null;
          const fitted = await mergeAgain(heights);
          return {
            html: inline(fitted.html),
            page: fitted.page,
            ...inlineOverlay(fitted.overlay),
          };
        },
      },
    }),
  };
}

/** The text of the html format: on a screen, its headers and footers take as much space as they do in print. */
export function toHtmlOutput({ html, headers }: PrintableDocument): string {
  if (headers === undefined) return html;
  return html.replace(
    "</head>",
    () => `<style>${headers.screenStyle}</style>\n</head>`,
  );
}

/** What the files of one document are made from. */
interface OutputSource {
  document: PrintableDocument;
  /** The html format's text. */
  html: string;
  /** Null when it was not requested. */
  mjml: string | null;
  plan: PdfPlan;
}

/** Returns html with the fonts inside that its print uses. */
export type EmbedFonts = (
  html: string,
  printed: Buffer,
  deadline: Deadline,
) => Promise<string>;

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
    private readonly embedFonts: EmbedFonts,
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
    const { mjml } = this.source;
    for (const format of formats) {
      if (format === "html")
        all.push(createArtifact("html", await this.#renderHtml()));
      if (format === "mjml") all.push(createArtifact("mjml", mjml ?? ""));
      if (format === "pdf")
        all.push(createArtifact("pdf", await this.#renderPdf()));
      if (format === "image") all.push(...(await this.#renderImages()));
    }
    return all;
  }

  /** The fonts that a document uses are known once it is printed. */
  async #renderHtml(): Promise<string> {
    const { html } = this.source;
    const { renderOptions } = this.job.request;
    if (renderOptions?.html?.embedFonts !== true) return html;
    const { bytes } = await this.#print();
    return this.job.timer.time("fonts", () =>
      this.embedFonts(html, bytes, this.deadline),
    );
  }

  /** A document does not fail because its previews do. */
  async renderPreviews(choice: PreviewChoice): Promise<Previews> {
    if (choice === "none") return { pictures: [], problem: null };
    try {
      return { pictures: await this.#drawPreviews(choice), problem: null };
    } catch (error) {
      const isOurs = error instanceof PlatenError;
      if (!isOurs || this.deadline.signal.aborted) throw error;
      return { pictures: [], problem: formatError(error) };
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
    const owner = this.job.request.organizationId;
    const printed = { pdf, pages, owner, sheet: this.source.document.page };
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
      owner: this.job.request.organizationId,
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

/** One file of a rendered document, before it is stored. */
interface Artifact {
  format: Format;
  /** Unique in its document: the format, or `image-2` for the image of a further page. */
  label: string;
  mimeType: string;
  extension: string;
  bytes: Buffer;
  /** The page that an image shows, from 1, when several were requested. */
  page?: number;
}

const MIME_TYPES = {
  pdf: "application/pdf",
  html: "text/html",
  mjml: "text/mjml",
} as const;

function createArtifact(
  format: keyof typeof MIME_TYPES,
  content: Buffer | string,
): Artifact {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const mimeType = MIME_TYPES[format];
  return { format, label: format, mimeType, extension: format, bytes };
}

function createImageArtifact(type: ImageType, bytes: Buffer): Artifact {
  const mimeType = type === "png" ? "image/png" : "image/jpeg";
  return { format: "image", label: "image", mimeType, extension: type, bytes };
}

/** Images of the requested pages; the first is the document's `image`. */
function createPageArtifacts(
  type: ImageType,
  images: readonly { page: number; bytes: Buffer }[],
): Artifact[] {
  return images.map(({ page, bytes }, index) => ({
    ...createImageArtifact(type, bytes),
    ...(index > 0 && { label: `image-${page}` }),
    page,
  }));
}

/** The document whose files are stored. */
interface OutputOwner {
  documentId: string;
  /** Without extension. */
  fileName: string;
  expiresAt: Date;
}

export interface SavedFile {
  output: Output;
  filename: string;
  artifact: Artifact;
}

/** Stores the files of documents and creates their links. */
@injectable()
export class OutputStore {
  constructor(
    @inject(FILE_STORE) private readonly files: FileStore,
    @inject(STORED_LINKS) private readonly links: StoredLinks,
  ) {}

  /** Stores all of the files or, when one fails, none. */
  async save(
    owner: OutputOwner,
    artifacts: readonly Artifact[],
  ): Promise<SavedFile[]> {
    const saved: SavedFile[] = [];
    try {
      for (const artifact of artifacts)
        saved.push(await this.#saveOne(owner, artifact));
      return saved;
    } catch (error) {
      await this.remove(saved);
      throw error;
    }
  }

  async remove(saved: readonly SavedFile[]): Promise<void> {
    for (const { output } of saved) await this.files.delete(output.storageKey);
  }

  async #saveOne(
    { documentId, fileName, expiresAt }: OutputOwner,
    artifact: Artifact,
  ): Promise<SavedFile> {
    const { label, mimeType, extension, page } = artifact;
    const storageKey = newOutputKey(documentId, extension);
    const pageSuffix = page === undefined ? "" : `-${page}`;
    const filename = `${fileName}${pageSuffix}.${extension}`;
    const stored = await this.files.put(storageKey, artifact.bytes);
    const url = this.links.create({ documentId, label, filename, expiresAt });
    const output = { label, storageKey, url, mimeType, ...stored };
    return { output, filename, artifact };
  }
}

/** A file name made from a template's or document's name, without extension. */
export function safeFileName(name: string): string {
  return toFileName(name) ?? "document";
}

/** A stored file, as the response of a render describes it. */
interface FileResult extends Omit<Output, "label"> {
  filename: string;
}

interface ImageResult extends FileResult {
  /** All requested pages; the image itself is the first of them. */
  pages?: (FileResult & { page: number })[];
}

interface TextResult extends Pick<Output, "checksum" | "sizeBytes"> {
  url: "";
}

/** Keyed by format (specification: Render result entry). */
export interface RenderResult {
  pdf?: FileResult;
  html?: TextResult & { htmlDocument: string; mimeType: "text/html" };
  image?: ImageResult;
  mjml?: TextResult & { mjmlDocument: string; mimeType: "text/mjml" };
  /** Only for a document that was sent for signature. */
  signature?: SignatureView;
}

export function toRenderResult(saved: readonly SavedFile[]): RenderResult {
  const result: RenderResult = {};
  for (const file of saved) {
    const { format, bytes } = file.artifact;
    if (format === "pdf") result.pdf = toFileResult(file);
    if (format === "html")
      result.html = {
        htmlDocument: bytes.toString(),
        mimeType: "text/html",
        ...toTextResult(file),
      };
    if (format === "mjml")
      result.mjml = {
        mjmlDocument: bytes.toString(),
        mimeType: "text/mjml",
        ...toTextResult(file),
      };
  }
  const images = saved.filter(({ artifact }) => artifact.format === "image");
  if (images[0]) result.image = toImageResult(images[0], images);
  return result;
}

function toFileResult({ output, filename }: SavedFile): FileResult {
  const { label: _label, ...file } = output;
  return { ...file, filename };
}

function toTextResult({ output }: SavedFile): TextResult {
  const { checksum, sizeBytes } = output;
  return { url: "", checksum, sizeBytes };
}

function toImageResult(
  first: SavedFile,
  images: readonly SavedFile[],
): ImageResult {
  if (first.artifact.page === undefined) return toFileResult(first);
  return {
    ...toFileResult(first),
    pages: images.map((image) => ({
      page: image.artifact.page ?? 1,
      ...toFileResult(image),
    })),
  };
}
