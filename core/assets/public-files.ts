import type { Readable } from "node:stream";
import type { EntityManager } from "typeorm";
import {
  type ByteRange,
  type FileStore,
  PlatenError,
} from "../plugin-api/index.js";
import { Asset } from "../storage/database/index.js";
import { extensionOf, readAssetFileName } from "./asset-links.js";

/** A file behind an asset's address. */
export interface PublicFile {
  mimeType: string;
  sizeBytes: number;
  /** Names these bytes. */
  etag: string;
  open(range?: ByteRange): Promise<{ stream: Readable } | null>;
}

/** Finds what an asset's address leads to: for everybody who has it, and as long as the file is kept. */
export class PublicFiles {
  constructor(
    private readonly read: EntityManager,
    private readonly files: FileStore,
  ) {}

  /** @param name the address's last part. @throws PlatenError `not_found`. */
  async find(name: string): Promise<PublicFile> {
    const told = readAssetFileName(name);
    // Equal files share an address, whatever their rows call them.
    const row =
      told && (await this.read.findOneBy(Asset, { linkKey: told.linkKey }));
    const key = told?.isPoster ? row?.posterKey : row?.storageKey;
    if (!told || !row || !key || extensionOf(key) !== told.extension)
      throw noSuchFile();
    const sizeBytes = told.isPoster
      ? await this.files.size(key)
      : row.sizeBytes;
    if (sizeBytes === null) throw noSuchFile();
    return {
      mimeType: told.isPoster ? "image/png" : row.mimeType,
      sizeBytes,
      etag: told.isPoster ? `${row.contentHash}.poster` : row.contentHash,
      open: (range) => this.files.open(key, range),
    };
  }
}

function noSuchFile(): PlatenError {
  return new PlatenError(
    "not_found",
    "There is no such file. Use the address exactly as it was given.",
  );
}
