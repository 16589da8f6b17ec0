import { In } from "typeorm";
import type {
  DocumentLine,
  DocumentStatus,
  Output,
} from "../plugin-api/index.js";
import {
  Document,
  listPage,
  LongListCount,
  type PageRequest,
  type Store,
} from "../storage/database/index.js";
import { acceptingBatches, notIn } from "./hidden-batches.js";

export interface LogQuery extends PageRequest {
  /** Empty for all. */
  statuses: readonly DocumentStatus[];
  templateId: string | null;
  batchId: string | null;
}

/** What became of an organization's documents, to be looked through. */
export class DocumentLog {
  readonly #count = new LongListCount();

  constructor(private readonly store: Pick<Store, "snapshot">) {}

  /** The newest first. */
  async list(
    organizationId: string,
    { statuses, templateId, batchId, page, pageSize }: LogQuery,
  ): Promise<{ data: DocumentLine[]; total: number }> {
    const isWhole =
      statuses.length === 0 && templateId === null && batchId === null;
    const { rows, total } = await this.store.snapshot(async (read) =>
      listPage(read, Document, {
        page,
        pageSize,
        where: {
          organizationId,
          ...(statuses.length > 0 && { status: In(statuses) }),
          ...(templateId !== null && { templateId }),
          ...(batchId !== null && { batchId }),
          ...notIn(await acceptingBatches(read)),
        },
        newestBy: "createdAt",
        // Only the whole list does nothing but grow.
        ...(isWhole && { counting: { by: this.#count, key: organizationId } }),
        relations: { createdBy: true, template: true },
        select: { template: { id: true, name: true } },
      }),
    );
    return { data: rows.map(lineOf), total };
  }
}

function lineOf(row: Document): DocumentLine {
  const { id, status, isTest, fileName, template, createdBy } = row;
  const facts = { id, status, isTest, fileName };
  return {
    ...facts,
    template: { id: row.templateId, name: template?.name ?? "" },
    createdBy: createdBy?.name ?? "",
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    outputs: row.outputs.map(linkOf),
    error: status === "failed" ? (row.error ?? "") : null,
  };
}

function linkOf({ label, url, mimeType, sizeBytes }: Output) {
  return { label, url, mimeType, sizeBytes };
}
