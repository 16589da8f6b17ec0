import { type EntityManager, In } from "typeorm";
import { z } from "zod";
import {
  outputSchema,
  personSchema,
  timestampSchema,
  toView,
} from "../../lib/schemas.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  Delivery,
  type Document,
  RecordBatch,
  WriteBack,
} from "../../storage/database/index.js";
import { documentSignatureSchema } from "../render/signing.js";

// Documents as the API returns them.

const documentFields = {
  id: z.string().meta({ example: "doc_0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f" }),
  organizationId: z.string(),
  templateId: z.string(),
  createdById: z.string(),
  status: z.enum(["queued", "rendering", "succeeded", "failed", "expired"]),
  outputs: z.array(outputSchema),
  metadata: z.record(z.string(), z.unknown()).nullable().meta({
    description:
      "Platen's own data is under `platen`: the `template`'s `version` and `definitionHash` that the document was made from, the render `report`, and as `retryOf` the document that this one retries.",
  }),
  error: z.string().optional().meta({
    description: "Why it failed or expired; present only on such documents.",
  }),
  expiresAt: timestampSchema,
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
};

const documentDeliverySchema = z
  .strictObject({
    id: z.string(),
    connection: z.string().nullable().meta({
      description: "Null: the mail server of the service.",
    }),
    method: z.string().meta({ example: "email" }),
    status: z.enum(["pending", "succeeded", "failed", "unknown"]).meta({
      description:
        "`unknown`: it may have arrived or not, and is not sent again unless you ask for that.",
    }),
    target: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        "Where it goes, with the values of the expressions; null before the first attempt.",
    }),
    receipt: z
      .strictObject({
        id: z.string(),
        url: z.string().exactOptional(),
        warnings: z.array(z.string()).exactOptional(),
      })
      .nullable()
      .meta({
        description:
          "What the other side said, such as the id of the message or the key of the object. A mail server that accepts a message may still return it later: bounces are not read.",
      }),
    error: z.string().nullable(),
    attempts: z.number().int(),
    nextAttemptAt: timestampSchema.nullable(),
    completedAt: timestampSchema.nullable(),
  })
  .meta({ id: "DocumentDelivery" });

export const documentSchema = z
  .strictObject({
    ...documentFields,
    signature: documentSignatureSchema.exactOptional(),
    deliveries: z.array(documentDeliverySchema).exactOptional().meta({
      description:
        "Present when the document is delivered, and is read by its id.",
    }),
  })
  .meta({ id: "Document" });

export const documentListItemSchema = z
  .strictObject({
    ...documentFields,
    createdBy: personSchema,
    template: z.strictObject({ id: z.string(), name: z.string() }),
  })
  .meta({ id: "DocumentListItem" });

export type DocumentView = z.output<typeof documentSchema>;
export type DocumentListView = z.output<typeof documentListItemSchema>;

export async function toListViews(
  read: EntityManager,
  rows: readonly Document[],
): Promise<DocumentListView[]> {
  const pending = await findPendingWriteBacks(read, rows);
  return rows.map((row) => toListView(row, pending.get(row.id)));
}

function toListView(
  row: Document,
  writeBack: PendingWriteBack | undefined,
): DocumentListView {
  const { createdBy, template } = row;
  if (!createdBy || !template)
    throw new PlatenError("internal", "A document has no template or user.");
  return {
    ...toDocumentView(row, writeBack),
    createdBy: toView(personSchema, createdBy),
    template: { id: template.id, name: template.name },
  };
}

export async function findDeliveries(
  read: EntityManager,
  documentId: string,
): Promise<z.output<typeof documentDeliverySchema>[]> {
  const rows = await read.find(Delivery, {
    where: { documentId },
    order: { position: "ASC" },
  });
  return rows.map((row) =>
    toView(documentDeliverySchema, row, {
      connection: row.connectionId,
      method: row.plugin,
      status: row.status === "sending" ? "pending" : row.status,
      target: row.target && { ...row.target },
    }),
  );
}

/** A write-back that has not ended, as `metadata.platen.writeBack` shows it. */
export interface PendingWriteBack {
  status: "pending";
  field: string;
  /** Failed attempts; a rate limit is none. */
  attempts: number;
  /** Why it was not written yet; null before the first attempt. */
  waitingFor: string | null;
  nextAttemptAt: string | null;
}

/** By the document's id. */
export async function findPendingWriteBacks(
  read: EntityManager,
  documents: readonly Pick<Document, "id" | "batchId">[],
): Promise<Map<string, PendingWriteBack>> {
  const inBatches = documents.filter(({ batchId }) => batchId !== null);
  if (inBatches.length === 0) return new Map();
  const rows = await read.findBy(WriteBack, {
    documentId: In(inBatches.map(({ id }) => id)),
    status: "pending",
  });
  if (rows.length === 0) return new Map();
  const batches = await read.find(RecordBatch, {
    where: { batchId: In([...new Set(rows.map(({ batchId }) => batchId))]) },
    select: { batchId: true, fieldName: true },
  });
  const fields = new Map(
    batches.map(({ batchId, fieldName }) => [batchId, fieldName ?? ""]),
  );
  return new Map(
    rows.map(({ documentId, batchId, attempts, error, nextAttemptAt }) => [
      documentId,
      {
        status: "pending",
        field: fields.get(batchId) ?? "",
        attempts,
        waitingFor: error,
        nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
      },
    ]),
  );
}

/** @param writeBack the one in progress, which an earlier result does not hide. */
export function toDocumentView(
  row: Document,
  writeBack?: PendingWriteBack,
): DocumentView {
  const hasError = row.status === "failed" || row.status === "expired";
  return toView(documentSchema, row, {
    metadata: {
      ...row.metadata,
      platen: {
        ...getPlatenMetadata(row),
        ...(writeBack && { writeBack }),
        template: {
          version: row.templateVersion,
          definitionHash: row.definitionHash,
        },
      },
    },
    error: hasError ? (row.error ?? "") : undefined,
    signature: undefined,
    deliveries: undefined,
  });
}

/** What the service itself stored with a document. */
export function getPlatenMetadata({
  metadata,
}: Pick<Document, "metadata">): Record<string, unknown> {
  const platen = metadata?.platen;
  return typeof platen === "object" ? { ...platen } : {};
}
