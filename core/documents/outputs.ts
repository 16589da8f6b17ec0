// The files of one document: what is printed, made in each format, stored with a link, and described in the response.
import {
  fitHeaders,
  type FontFace,
  inlineAssets,
  inlineFonts,
  linkVideos,
  type MergedDocument,
  overlayHtml,
  toFileName,
} from "../compiler/index.js";
import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../lib/injection.js";
import { encodeUtf8 } from "../lib/utf8.js";
import {
  type FileStore,
  type Format,
  type ImageType,
  type Output,
  formatError,
  PlatenError,
} from "../plugin-api/index.js";
import {
  type PdfJob,
  type PdfStructure,
  type PrintedPdf,
  type PrintFlaws,
  type Renderer,
  type RunningHeaders,
  FontSubsetter,
} from "../rendering/index.js";
import type { Finished } from "../rendering/pdf/index.js";
import {
  createText,
  newOutputKey,
  StoredLinks,
} from "../storage/files/index.js";
import { FILE_STORE } from "../lib/process-values.js";
import type { ResolvedAssets } from "./content/pictures.js";
import type { PdfPlan } from "./pdf-post-processor.js";
import {
  type Preview,
  previewEmail,
  previewPages,
  type PreviewChoice,
  type Previews,
} from "./previews/previews.js";
import type { RenderJob, RenderReport } from "./render-job.js";
import type { SignatureView } from "./signing.js";
import {
  createFontEmbedding,
  type EmbedFonts,
} from "./content/embedded-fonts.js";

export const EMBED_FONTS = createToken<EmbedFonts>("EmbedFonts");
provide(EMBED_FONTS, (c) => createFontEmbedding(c.resolve(FontSubsetter)));

/** A merged document with all its images and fonts inside, ready to be printed. */
export interface PrintableDocument extends PdfJob {
  title: string;
  language: string;
  page: MergedDocument["page"];
  headers?: RunningHeaders & Pick<MergedHeaders, "screenStyle">;
  owner: string;
}

type MergedHeaders = NonNullable<MergedDocument["headers"]>;

/** @param mergeAgain merges the same record with margins for headers and footers of these heights, in CSS px */
export function toPrintableDocument(
  merged: MergedDocument,
  { byToken, videos }: ResolvedAssets,
  fonts: readonly FontFace[],
  print: Pick<PrintableDocument, "owner" | "deadline" | keyof PdfStructure>,
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
    ...print,
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

/** One file of a rendered document. */
export interface OutputFile {
  format: Format;
  /** Unique in its document: the format, or `image-2` for the image of a further page. */
  label: string;
  mimeType: string;
  extension: string;
  bytes: Buffer;
  /** The same, if it is a text. */
  text?: string;
  /** The page that an image shows, from 1, when several were requested. */
  page?: number;
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

/** The document whose files are stored. */
interface OutputOwner {
  documentId: string;
  /** Without extension. */
  fileName: string;
  expiresAt: Date;
}

/** A file that is stored and has a link. */
export interface StoredFile extends OutputFile, Output {
  /** With extension. */
  filename: string;
  /** Of a text that becomes a row. */
  content?: Buffer;
}

/** What a document's row lists of a file. */
export function toOutput(file: StoredFile): Output {
  const { label, storageKey, url, mimeType, sizeBytes, checksum } = file;
  return { label, storageKey, url, mimeType, sizeBytes, checksum };
}

/**
 * Stores the files of documents and creates their links. Short texts are stored by `insertTexts` with their document's row.
 */
@scoped(Lifecycle.ContainerScoped)
export class OutputStore {
  constructor(
    @inject(FILE_STORE) private readonly files: FileStore,
    @inject(StoredLinks) private readonly links: StoredLinks,
  ) {}

  /** Stores all of the files or, when one fails, none. */
  async save(
    owner: OutputOwner,
    files: readonly OutputFile[],
  ): Promise<StoredFile[]> {
    const stored: StoredFile[] = [];
    try {
      for (const file of files) stored.push(await this.#saveOne(owner, file));
      return stored;
    } catch (error) {
      await this.remove(stored);
      throw error;
    }
  }

  /** Texts are not stored yet; under their keys may be those of another attempt, which was recorded. */
  async remove(files: readonly StoredFile[]): Promise<void> {
    for (const { storageKey, content } of files)
      if (content === undefined) await this.files.delete(storageKey);
  }

  async #saveOne(
    { documentId, fileName, expiresAt }: OutputOwner,
    file: OutputFile,
  ): Promise<StoredFile> {
    const { label, extension, page, bytes, text } = file;
    const pageSuffix = page === undefined ? "" : `-${page}`;
    const filename = `${fileName}${pageSuffix}.${extension}`;
    const stored =
      (text !== undefined && createText(documentId, file.format, bytes)) ||
      (await this.#putFile(newOutputKey(documentId, extension), bytes));
    const url = this.links.create({ documentId, label, filename, expiresAt });
    return { ...file, ...stored, url, filename };
  }

  async #putFile(storageKey: string, bytes: Buffer) {
    return { storageKey, ...(await this.files.put(storageKey, bytes)) };
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
  /** The electronic invoice. */
  xml?: FileResult;
  /** Only for a document that was sent for signature. */
  signature?: SignatureView;
}

export function toRenderResult(files: readonly StoredFile[]): RenderResult {
  const result: RenderResult = {};
  for (const file of files) {
    const { format, text } = file;
    if (format === "pdf") result.pdf = toFileResult(file);
    if (format === "xml") result.xml = toFileResult(file);
    if (format === "html")
      result.html = {
        htmlDocument: text ?? "",
        mimeType: "text/html",
        ...toTextResult(file),
      };
    if (format === "mjml")
      result.mjml = {
        mjmlDocument: text ?? "",
        mimeType: "text/mjml",
        ...toTextResult(file),
      };
  }
  const images = files.filter(({ format }) => format === "image");
  if (images[0]) result.image = toImageResult(images[0], images);
  return result;
}

function toFileResult(stored: StoredFile): FileResult {
  const { label: _label, ...file } = toOutput(stored);
  return { ...file, filename: stored.filename };
}

function toTextResult({ checksum, sizeBytes }: StoredFile): TextResult {
  return { url: "", checksum, sizeBytes };
}

function toImageResult(
  first: StoredFile,
  images: readonly StoredFile[],
): ImageResult {
  if (first.page === undefined) return toFileResult(first);
  return {
    ...toFileResult(first),
    pages: images.map((image) => ({
      page: image.page ?? 1,
      ...toFileResult(image),
    })),
  };
}

/** A printed document whose files are not stored yet. */
export interface PrintedDocument {
  documentId: string;
  title: string;
  /** Without extension. */
  fileName: string;
  files: readonly OutputFile[];
  /** Its PDF after editing; null when it was not edited. */
  pdf: Finished | null;
  report: RenderReport;
  /** How many pages were printed; null when nothing was, as for html alone. */
  pages: number | null;
  previews: Previews;
}
