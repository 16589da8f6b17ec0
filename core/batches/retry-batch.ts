import { type EntityManager, In } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import {
  Batch,
  type Document,
  DocumentRecord,
  type Store,
} from "../storage/database/index.js";
import type { BatchOptions } from "./accept-batch.js";
import type { BatchDraft } from "./batch-draft.js";
import { inChunks, readBatchDocuments } from "./read-batches.js";

const documentsPerChunk = 250;
const addedKeys = new Set(["batchId", "batchIndex", "totalCount", "platen"]);

/**
 * Drafts the failed documents of a completed batch again: the same records (a platform's are read again), the same
 * snapshot of the template, and the same time until they expire.
 * @throws PlatenError `conflict` when there is nothing to retry, or not any more.
 */
export async function draftRetry(
  { read }: Pick<Store, "read">,
  batch: Batch,
  draft: BatchDraft,
): Promise<BatchOptions> {
  await assertRetryable(read, batch);
  const failed = readBatchDocuments(read, batch.id, { status: "failed" });
  for await (const rows of inChunks(failed, documentsPerChunk)) {
    const records = await read.findBy(DocumentRecord, {
      documentId: In(rows.map(({ id }) => id)),
    });
    const data = new Map<string, object>(
      records.map((record) => [record.documentId, JSON.parse(record.data)]),
    );
    for (const row of rows) {
      // A sweep may have deleted records since the batch was read.
      if (batch.platform === null && !data.has(row.id)) throw recordsDeleted();
      await draft.add({
        data: data.get(row.id),
        metadata: getCallersMetadata(row),
        expiresAt: getNewExpiry(row),
        formats: row.formats,
      });
    }
  }
  if (draft.count === 0) throw conflict("has no failed documents");
  return {
    organizationId: batch.organizationId,
    createdById: batch.createdById,
    templateId: batch.templateId,
    templateVersion: batch.templateVersion,
    formats: batch.formats,
    imageType: batch.imageType,
    renderOptions: batch.renderOptions ?? undefined,
    platform: batch.platform ?? undefined,
    ...(batch.signing && { ...batch.signing, sendForSignature: true }),
    retryOf: batch.id,
  };
}

async function assertRetryable(
  read: EntityManager,
  batch: Batch,
): Promise<void> {
  if (batch.status !== "completed")
    throw conflict("is not completed yet. Wait until it is, or cancel it");
  if (batch.recordsPurgeAt === null) throw recordsDeleted();
  const next = await read.findOneBy(Batch, { retryOf: batch.id });
  if (next) throw conflict(`was already retried as ${next.id}. Retry that one`);
}

function recordsDeleted(): PlatenError {
  return conflict("was completed so long ago that its records are deleted");
}

function conflict(why: string): PlatenError {
  return new PlatenError("conflict", `This batch ${why}.`);
}

function getCallersMetadata({ metadata }: Document): Record<string, unknown> {
  const entries = Object.entries(metadata ?? {});
  return Object.fromEntries(entries.filter(([key]) => !addedKeys.has(key)));
}

function getNewExpiry({ expiresAt, createdAt }: Document): string {
  const span = expiresAt.getTime() - createdAt.getTime();
  return new Date(Date.now() + span).toISOString();
}
