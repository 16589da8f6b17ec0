import { countUsage } from "../accounts/index.js";
import { errorText, type Log } from "../plugin-api/index.js";
import {
  Document,
  insertRow,
  type Store,
  type Work,
} from "../storage/database/index.js";
import type { ProducedDocument } from "./produce-document.js";
import type { RenderRun } from "./render-run.js";

type DocumentRow = Omit<Document, never>;

/**
 * The document's row and, unless it is a test, one unit of usage: together. When that fails, the files stay: the row
 * may be there all the same, if the connection broke after the commit; otherwise they are swept as orphans.
 */
export async function recordSucceeded(
  { store }: { store: Store },
  run: RenderRun,
  { saved, fileName, report }: ProducedDocument,
  alongside: Work<void>,
): Promise<void> {
  const { request, timer } = run;
  const now = new Date();
  const row: DocumentRow = {
    ...failedRow(run, now),
    status: "succeeded",
    outputs: saved.map(({ output }) => output),
    metadata: { platen: { report } },
    fileName,
    error: null,
    purgeAt: request.expiresAt,
  };
  await timer.time("record", () =>
    store.unitOfWork.run(async (tx) => {
      await insertRow(tx, Document, row);
      await alongside(tx);
      if (request.isTest) return;
      await countUsage(tx, request.organizationId, "documents", 1, now);
    }),
  );
}

/** A failed document counts nothing and has no files. When even its row cannot be written, the log has it. */
export async function recordFailed(
  { store, log }: { store: Store; log: Log },
  run: RenderRun,
  error: unknown,
): Promise<void> {
  const row = { ...failedRow(run, new Date()), error: errorText(error) };
  try {
    await store.unitOfWork.run((tx) => insertRow(tx, Document, row));
  } catch (recordError) {
    const { documentId } = run;
    log.error({ documentId, err: recordError }, "a failure was not recorded");
  }
}

/** Of a document that was rendered while its caller waited: it was never queued, so it has no lock and no batch. */
function failedRow(
  { documentId, startedAt, request, template }: RenderRun,
  now: Date,
): DocumentRow {
  return {
    id: documentId,
    organizationId: request.organizationId,
    templateId: template.id,
    templateVersion: template.version,
    definitionHash: template.definitionHash,
    status: "failed",
    formats: [...request.formats],
    imageType: request.imageType,
    isTest: request.isTest,
    outputs: [],
    metadata: null,
    fileName: null,
    error: null,
    attempts: 1,
    interruptions: 0,
    isRetrying: false,
    batchId: null,
    batchIndex: null,
    lockToken: null,
    lockedUntil: null,
    expiresAt: request.expiresAt,
    purgeAt: null,
    completedAt: now,
    createdById: request.createdById,
    createdAt: startedAt,
    updatedAt: now,
  };
}
