import { type EntityManager, In } from "typeorm";
import { z } from "zod";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import {
  Delivery,
  Document,
  type DocumentStatus,
  listPage,
  type PageRequest,
  type Store,
  STORE,
} from "../../storage/database/index.js";
import type { BatchFailures, DocumentLine } from "../views.js";
import { getPlatenMetadata } from "./document-view.js";
import { createListing, inBatch } from "./documents.js";

interface LogQuery extends PageRequest {
  /** Empty for all. */
  statuses: readonly DocumentStatus[];
  templateId: string | null;
  batchId: string | null;
  /** A part of the file name, the template's name or the error, or the document's id; empty for all. */
  q: string;
  /** Created then or later. */
  from: Date | null;
  /** Created before. */
  until: Date | null;
}

const maxListedErrors = 10;

/** Lists an organization's documents with their outcomes. */
@scoped(Lifecycle.ContainerScoped)
export class DocumentLog {
  constructor(@inject(STORE) private readonly store: Pick<Store, "snapshot">) {}

  /** Newest first. */
  async list(
    organizationId: string,
    { page, pageSize, ...criteria }: LogQuery,
  ): Promise<{ data: DocumentLine[]; total: number }> {
    const { statuses, templateId, batchId, q, from, until } = criteria;
    const filter = {
      ...(statuses.length > 0 && { statuses }),
      ...(templateId !== null && { templateId }),
      ...(batchId !== null && { batchId }),
      ...(q !== "" && { text: q }),
      ...(from && { createdFrom: from }),
      // Times are stored in milliseconds.
      ...(until && { createdTo: new Date(until.getTime() - 1) }),
    };
    return this.store.snapshot(async (read) => {
      const { rows, total } = await listPage(read, Document, {
        page,
        pageSize,
        ...(await createListing(read, organizationId, filter)),
      });
      const errors = await findDeliveryErrors(read, rows);
      const data = rows.map((row) => toLine(row, errors.get(row.id) ?? []));
      return { data, total };
    });
  }

  /** The errors of a batch's failed documents, those of most documents first. */
  async failures(
    organizationId: string,
    batchId: string,
  ): Promise<BatchFailures> {
    return this.store.snapshot(async (read) => {
      const where = {
        ...(await inBatch(read, organizationId, batchId)),
        status: "failed" as const,
      };
      const rows = await read
        .getRepository(Document)
        .createQueryBuilder("row")
        .select("row.error", "error")
        .addSelect("COUNT(*)", "count")
        .where(where)
        .groupBy("row.error")
        .orderBy("count", "DESC")
        .addOrderBy("error", "ASC")
        .limit(maxListedErrors)
        .getRawMany<{ error: string | null; count: number | string }>();
      return {
        data: rows.map(({ error, count }) => ({
          error: error ?? "",
          count: Number(count),
        })),
        total: await read.countBy(Document, where),
      };
    });
  }
}

function toLine(row: Document, deliveryErrors: string[]): DocumentLine {
  const { id, status, isTest, fileName } = row;
  return {
    id,
    status,
    isTest,
    fileName,
    template: { id: row.templateId, name: row.template?.name ?? "" },
    createdBy: row.createdBy?.name ?? "",
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    outputs: row.outputs.map(({ label, url, mimeType, sizeBytes }) => ({
      label,
      url,
      mimeType,
      sizeBytes,
    })),
    error: status === "failed" ? (row.error ?? "") : null,
    saveError: getSaveError(row),
    deliveryErrors,
  };
}

/** Of the deliveries that have failed or may have, by the document's id. */
async function findDeliveryErrors(
  read: EntityManager,
  documents: readonly Pick<Document, "id">[],
): Promise<Map<string, string[]>> {
  const rows = await read.find(Delivery, {
    where: {
      documentId: In(documents.map(({ id }) => id)),
      status: In(["failed", "unknown"]),
    },
    select: { id: true, documentId: true, error: true },
    order: { position: "ASC" },
  });
  const errorsByDocument = new Map<string, string[]>();
  for (const { documentId, error } of rows) {
    const errors = errorsByDocument.get(documentId) ?? [];
    errorsByDocument.set(documentId, [...new Set([...errors, error ?? ""])]);
  }
  return errorsByDocument;
}

const failedWriteBack = z.object({
  status: z.literal("failed"),
  error: z.string().catch(""),
});

function getSaveError(row: Document): string | null {
  const { writeBack } = getPlatenMetadata(row);
  const result = failedWriteBack.safeParse(writeBack);
  return result.success ? result.data.error : null;
}
