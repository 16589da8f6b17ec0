import { setImmediate as turn } from "node:timers/promises";
import type { EntityManager } from "typeorm";
import type { Batch, Document } from "../storage/database/index.js";
import { batchDocuments } from "./batch-documents.js";
import { inChunks } from "./chunks.js";

const rowsPerPiece = 100;

/**
 * The answer to an accepted batch as JSON text, piece by piece: the batch with all documents as they were accepted,
 * whatever became of them since, so that it can be given again. SQLite answers without a turn of the event loop; other
 * requests get theirs between the pieces.
 */
export async function* acceptedAnswer(
  read: EntityManager,
  { id, totalCount }: Pick<Batch, "id" | "totalCount">,
): AsyncGenerator<string> {
  const head = JSON.stringify({ batchId: id, totalCount, status: "queued" });
  yield `${head.slice(0, -1)},"documents":[`;
  let separator = "";
  for await (const rows of inChunks(batchDocuments(read, id), rowsPerPiece)) {
    const texts = rows.map((row) => JSON.stringify(queuedDocument(row)));
    yield `${separator}${texts.join(",")}`;
    separator = ",";
    await turn();
  }
  yield "]}";
}

/** The fields that the specification lists for queued documents, and no other. */
function queuedDocument(row: Document) {
  const { platen: _ours, ...metadata } = row.metadata ?? {};
  return {
    id: row.id,
    organizationId: row.organizationId,
    templateId: row.templateId,
    createdById: row.createdById,
    status: "queued",
    outputs: [],
    metadata,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}
