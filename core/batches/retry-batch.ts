import { type EntityManager, In } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import {
  Batch,
  type Document,
  DocumentRecord,
  type Store,
} from "../storage/database/index.js";
import { batchDocuments, inChunks } from "./read-batches.js";
import type { BatchDraft } from "./batch-draft.js";
import type { BatchOrder } from "./accept-batch.js";

const chunk = 250;
const ours = new Set(["batchId", "batchIndex", "totalCount", "platen"]);

/**
 * Drafts the failed documents of a completed batch anew: the same records (those of a platform as they are there now), the same snapshot of the template, and as
 * much time until they expire as they had.
 * @throws PlatenError `conflict` when there is nothing to retry, or not any more.
 */
export async function draftRetry(
  { read }: Pick<Store, "read">,
  batch: Batch,
  draft: BatchDraft,
): Promise<BatchOrder> {
  await checkRetry(read, batch);
  const failed = batchDocuments(read, batch.id, { status: "failed" });
  for await (const rows of inChunks(failed, chunk)) {
    const data = await recordsOf(read, rows);
    for (const row of rows)
      await draft.add({
        data: dataOf(batch, data.get(row.id)),
        metadata: callersKeys(row),
        expiresAt: sameTimeAgain(row),
        formats: row.formats,
      });
  }
  if (draft.count === 0) throw refusal("has no failed document");
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

async function checkRetry(read: EntityManager, batch: Batch): Promise<void> {
  if (batch.status !== "completed")
    throw refusal("is not completed yet. Wait for it, or cancel it first");
  if (batch.recordsPurgeAt === null) throw recordsDeleted();
  const next = await read.findOneBy(Batch, { retryOf: batch.id });
  if (next) throw refusal(`was retried already, as ${next.id}. Retry that one`);
}

/** A platform's records are read anew; of others, a sweep may have deleted some since the batch was looked at. */
function dataOf({ platform }: Batch, data: object | undefined): object {
  if (data === undefined && platform === null) throw recordsDeleted();
  return data ?? {};
}

function recordsDeleted(): PlatenError {
  return refusal("was completed so long ago that its records are deleted");
}

function refusal(why: string): PlatenError {
  return new PlatenError("conflict", `This batch ${why}.`);
}

async function recordsOf(
  read: EntityManager,
  rows: readonly Document[],
): Promise<Map<string, object>> {
  const records = await read.findBy(DocumentRecord, {
    documentId: In(rows.map(({ id }) => id)),
  });
  return new Map(
    records.map(({ documentId, data }) => [documentId, JSON.parse(data)]),
  );
}

function callersKeys({ metadata }: Document): Record<string, unknown> {
  const entries = Object.entries(metadata ?? {});
  return Object.fromEntries(entries.filter(([key]) => !ours.has(key)));
}

function sameTimeAgain({ expiresAt, createdAt }: Document): string {
  const span = expiresAt.getTime() - createdAt.getTime();
  return new Date(Date.now() + span).toISOString();
}
