import { toFileName } from "../lib/file-name.js";
import type {
  FileStore,
  Format,
  ImageType,
  Output,
} from "../plugin-api/index.js";
import { newOutputKey, type StoredLinks } from "../storage/files/index.js";
import { inject, injectable } from "../lib/injection.js";
import { FILE_STORE } from "../lib/tokens.js";
import { STORED_LINKS } from "../storage/files/tokens.js";

/** One file of a rendered document, before it is stored. */
export interface Artifact {
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

export function createArtifact(
  format: keyof typeof MIME_TYPES,
  content: Buffer | string,
): Artifact {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const mimeType = MIME_TYPES[format];
  return { format, label: format, mimeType, extension: format, bytes };
}

export function createImageArtifact(type: ImageType, bytes: Buffer): Artifact {
  const mimeType = type === "png" ? "image/png" : "image/jpeg";
  return { format: "image", label: "image", mimeType, extension: type, bytes };
}

/** Images of the requested pages; the first is the document's `image`. */
export function createPageArtifacts(
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
