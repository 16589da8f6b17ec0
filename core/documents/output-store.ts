import type { FileStore, Output } from "../plugin-api/index.js";
import { newOutputKey, type StoredLinks } from "../storage/files/index.js";
import type { Artifact } from "./artifact.js";

/** The document whose files are stored. */
export interface OutputOwner {
  documentId: string;
  /** Without extension. */
  fileName: string;
  expiresAt: Date;
}

/** A stored file: its Output, and what a caller of one render is told beside it. */
export interface SavedFile {
  output: Output;
  filename: string;
  artifact: Artifact;
}

/** Stores the files of documents and gives each its link. */
export class OutputStore {
  constructor(
    private readonly files: FileStore,
    private readonly links: StoredLinks,
  ) {}

  /** All of them or, when one fails, none. */
  async save(
    owner: OutputOwner,
    artifacts: readonly Artifact[],
  ): Promise<SavedFile[]> {
    const saved: SavedFile[] = [];
    try {
      for (const artifact of artifacts)
        saved.push(await this.saveOne(owner, artifact));
      return saved;
    } catch (error) {
      await this.remove(saved);
      throw error;
    }
  }

  async remove(saved: readonly SavedFile[]): Promise<void> {
    for (const { output } of saved) await this.files.delete(output.storageKey);
  }

  private async saveOne(
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
