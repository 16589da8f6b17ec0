import type { EntityManager } from "typeorm";
import { outputSuffix, PlatenError } from "../../plugin-api/index.js";
import { Document } from "../database/index.js";
import type { StoredLinks } from "./stored-links.js";

/** A file behind a download link. */
export interface Download {
  storageKey: string;
  /** The document's own file name, in any alphabet. */
  filename: string;
  mimeType: string;
  sizeBytes: number;
  checksum: string;
}

/** Finds what a download link stands for. */
export class Downloads {
  constructor(
    private readonly read: EntityManager,
    private readonly links: StoredLinks,
  ) {}

  /**
   * @param address path and query as they came, undecoded.
   * @throws PlatenError `not_found` for what was never signed or is no more, `gone` for what has expired.
   */
  async find(address: string): Promise<Download> {
    const { documentId, label } = this.links.read(address, new Date());
    const row = await this.read.findOne(Document, {
      where: { id: documentId },
      select: { id: true, outputs: true, fileName: true },
    });
    const output = row?.outputs.find((one) => one.label === label);
    if (!row || !output)
      throw new PlatenError("not_found", "There is no such file any more.");
    const { storageKey, mimeType, sizeBytes, checksum } = output;
    const extension = storageKey.slice(storageKey.lastIndexOf("."));
    const stem = `${row.fileName ?? "document"}${outputSuffix(label)}`;
    const filename = `${stem}${extension}`;
    return { storageKey, filename, mimeType, sizeBytes, checksum };
  }
}
