// The files of one document: stored, each with a link, and described in its row and in the response.
import { z } from "zod";
import { toFileName } from "../../compiler/index.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import type { FileStore, Format, Output } from "../../plugin-api/index.js";
import {
  createText,
  newOutputKey,
  StoredLinks,
} from "../../storage/files/index.js";
import { FILE_STORE } from "../../lib/process-values.js";
import { documentSignatureSchema } from "../render/signing.js";

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

const fileFields = {
  url: z.string().meta({
    description: "Download link; needs no key, works until `expiresAt`.",
  }),
  sizeBytes: z.number().int(),
  mimeType: z.string(),
  checksum: z
    .string()
    .meta({ description: "`sha256:` and 64 hexadecimal digits." }),
  filename: z.string(),
  storageKey: z.string(),
};

const fileSchema = z.strictObject(fileFields).meta({ id: "RenderedFile" });

const imageSchema = z
  .strictObject({
    ...fileFields,
    pages: z
      .array(z.strictObject({ page: z.number().int(), ...fileFields }))
      .optional()
      .meta({
        description:
          "Every page that `renderOptions.pages` selects; the image itself is the first of them.",
      }),
  })
  .meta({ id: "RenderedImage" });

const htmlSchema = z
  .strictObject({
    htmlDocument: z.string(),
    checksum: fileFields.checksum,
    mimeType: z.literal("text/html"),
    url: z.literal(""),
    sizeBytes: fileFields.sizeBytes,
  })
  .meta({ id: "RenderedHtml" });

const mjmlSchema = z
  .strictObject({
    mjmlDocument: z.string(),
    checksum: fileFields.checksum,
    mimeType: z.literal("text/mjml"),
    url: z.literal(""),
    sizeBytes: fileFields.sizeBytes,
  })
  .meta({ id: "RenderedMjml" });

/** Keyed by the formats that were asked for. */
export const exportResultSchema = z
  .strictObject({
    pdf: fileSchema.exactOptional(),
    html: htmlSchema.exactOptional(),
    image: imageSchema.exactOptional(),
    mjml: mjmlSchema.exactOptional(),
    xml: fileSchema.exactOptional().meta({
      description: "The electronic invoice of a template with `einvoice`.",
    }),
    signature: documentSignatureSchema.exactOptional().meta({
      description: "Present on documents that were sent for signature.",
    }),
  })
  .meta({ id: "ExportResult" });

export type RenderResult = z.output<typeof exportResultSchema>;
type FileResult = z.output<typeof fileSchema>;
type ImageResult = z.output<typeof imageSchema>;

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

function toTextResult({ checksum, sizeBytes }: StoredFile) {
  return { url: "" as const, checksum, sizeBytes };
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
