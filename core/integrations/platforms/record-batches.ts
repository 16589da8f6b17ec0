import { In } from "typeorm";
import {
  type AcceptCallback,
  type Batches,
  type BatchOptions,
  findBatch,
} from "../../batches/index.js";
import { BATCHES } from "../../batches/tokens.js";
import { inject, injectable } from "../../lib/injection.js";
import {
  Deadline,
  isSignedOutput,
  PlatenError,
  type Problem,
} from "../../plugin-api/index.js";
import type { Queue } from "../../queue/index.js";
import { QUEUE } from "../../queue/tokens.js";
import {
  type Batch,
  Document,
  getDatabaseTime,
  type RecordBatch,
  type Store,
  WriteBack,
} from "../../storage/database/index.js";
import { STORE } from "../../storage/database/tokens.js";
import type { ConnectionService } from "../connections/index.js";
import { CONNECTIONS } from "../connections/tokens.js";
import {
  type Destination,
  type DestinationRequest,
  checkTimeoutMs,
  resolveDestination,
} from "./destination.js";
import { createWriteBackJob, WRITE_BACK_JOB } from "./jobs.js";
import {
  findBatch as findRecordBatch,
  type PlatformRecordSource,
} from "./record-source.js";
import { RECORD_SOURCE } from "./tokens.js";

/** A batch of a platform's records. */
export interface RecordsRequest extends DestinationRequest {
  /** At least one, without duplicates. */
  recordIds: readonly string[];
  /** See `BatchOptions`. */
  strict?: boolean | undefined;
  unknownFields?: BatchOptions["unknownFields"];
  sendForSignature?: boolean | undefined;
  esignConnection?: string | undefined;
  /** Whether someone waits for it: it goes before the organization's other batches. Default false. */
  isUrgent?: boolean;
}

/** The time that must be left to check another part of the records. */
const minCheckMs = 2500;
const maxIdLength = 255;
const maxProblems = 51;
const chunkSize = 500;

/** Batches of a platform's records. Those of other organizations are treated as missing. */
@injectable()
export class RecordBatches {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(BATCHES) private readonly batches: Batches,
    @inject(CONNECTIONS) private readonly connections: ConnectionService,
    @inject(RECORD_SOURCE) private readonly records: PlatformRecordSource,
  ) {}

  /**
   * Accepts a batch after checking connection, table, fields and records on the platform. Jobs then fetch the records and
   * their linked rows. @param inTransaction runs in the transaction that accepts the batch.
   * @throws PlatenError that names what is missing; nothing is queued then.
   */
  async generate(
    request: RecordsRequest,
    inTransaction?: AcceptCallback,
  ): Promise<Batch> {
    const { store, connections, batches, records } = this;
    const deadline = Deadline.after(checkTimeoutMs);
    const draft = await batches.draft(request);
    try {
      assertRecordIds(request.recordIds);
      const destination = await resolveDestination(
        { store, connections },
        request,
        deadline,
      );
      await assertRecordsExist(destination, request.recordIds, deadline);
      for (const recordId of request.recordIds)
        await draft.add({ metadata: { recordId } });
      const order = {
        organizationId: request.organizationId,
        createdById: request.createdById,
        templateId: request.templateId,
        templateVersion: destination.templateVersion,
        platform: request.platform,
        formats: request.formats ?? ["pdf"],
        strict: request.strict,
        unknownFields: request.unknownFields,
        sendForSignature: request.sendForSignature,
        esignConnection: request.esignConnection,
      };
      const { connection, scope, field, plan } = destination;
      const batch = await batches.accept(order, draft, async (tx, row) => {
        await records.accepted(tx, row, {
          connectionId: connection.id,
          baseId: scope.baseId ?? null,
          tableId: scope.tableId,
          fieldId: field?.id ?? null,
          fieldName: field?.name ?? null,
          mode: request.overwriteExisting ? "replace" : "append",
          plan,
          isUrgent: request.isUrgent ?? false,
        });
        await inTransaction?.(tx, row);
      });
      records.nudge();
      return batch;
    } finally {
      await draft.close();
    }
  }

  /**
   * Retries the failed write-backs of a batch. Files that arrived are not written again. @returns how many.
   * @throws PlatenError `not_found`; `conflict` when none has failed; `gone` when their files have expired.
   */
  async retryWriteBacks(
    organizationId: string,
    batchId: string,
  ): Promise<number> {
    const { store, queue } = this;
    const { id } = await findBatch(store.read, organizationId, batchId);
    const failed = await store.read.find(WriteBack, {
      where: { batchId: id, status: "failed" },
      select: {
        documentId: true,
        cell: true,
        files: true,
      },
    });
    if (failed.length === 0)
      throw new PlatenError(
        "conflict",
        "No write-back of this batch has failed, so there is nothing to retry.",
      );
    const batch = await findRecordBatch(store.read, id);
    if (batch === null) return 0;
    let total = 0;
    for (let at = 0; at < failed.length; at += chunkSize)
      total += await this.retryChunk(batch, failed.slice(at, at + chunkSize));
    if (total === 0)
      throw new PlatenError(
        "gone",
        "The files of this batch have expired. Render its records again.",
      );
    queue.nudge(WRITE_BACK_JOB);
    return total;
  }

  /** @returns how many still have files. */
  private async retryChunk(
    batch: Omit<RecordBatch, "plan">,
    failed: readonly Pick<WriteBack, "documentId" | "cell" | "files">[],
  ): Promise<number> {
    const { store, queue } = this;
    const now = new Date();
    const documents = await store.read.find(Document, {
      where: { id: In(failed.map(({ documentId }) => documentId)) },
      select: { id: true, expiresAt: true },
    });
    const kept = new Set(
      documents.filter(({ expiresAt }) => expiresAt > now).map(({ id }) => id),
    );
    const retried = failed.filter(
      ({ documentId, files }) =>
        kept.has(documentId) || files.some(isSignedOutput),
    );
    const ids = retried.map(({ documentId }) => documentId);
    const cells = new Map(retried.map((one) => [one.cell, one]));
    const jobs = Array.from(cells.values(), (one) =>
      createWriteBackJob(one, batch),
    );
    await store.unitOfWork.run(async (tx) => {
      const changes = {
        status: "pending" as const,
        attempts: 0,
        error: null,
        nextAttemptAt: await getDatabaseTime(tx),
        completedAt: null,
        updatedAt: now,
      };
      await tx.update(
        WriteBack,
        { documentId: In(ids), status: "failed" },
        changes,
      );
      await queue.enqueue(tx, jobs);
    });
    return retried.length;
  }
}

/** @throws PlatenError `invalid_request` for no ids, invalid ids and duplicates. */
function assertRecordIds(recordIds: readonly string[]): void {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  const add = (path: string, code: string, message: string) =>
    problems.push({ path, code, message });
  for (const [index, id] of recordIds.entries()) {
    const path = `$.recordIds[${index}]`;
    if (id === "" || id.length > maxIdLength)
      add(path, "record", `must have 1 to ${maxIdLength} characters.`);
    else if (seen.has(id)) add(path, "record", `repeats the record "${id}".`);
    seen.add(id);
  }
  if (recordIds.length === 0)
    add("$.recordIds", "too_small", "must contain at least one record id.");
  if (problems.length > 0)
    throw new PlatenError("invalid_request", "Invalid record ids.", {
      problems,
    });
}

/**
 * Checks as many records as the time allows, at least the first part. A document of a missing record that was not checked
 * fails later. @throws PlatenError `invalid_request` that names the missing records.
 */
async function assertRecordsExist(
  { connection: { platform }, scope, table }: Destination,
  recordIds: readonly string[],
  deadline: Deadline,
): Promise<void> {
  const { maxIdsPerFetch } = platform.capabilities;
  const fieldId = table.primaryFieldId ?? table.fields[0]?.id;
  const fieldIds = fieldId === undefined ? [] : [fieldId];
  const missing = new Set<string>();
  for (let at = 0; at < recordIds.length; at += maxIdsPerFetch) {
    if (at > 0 && deadline.remainingMs < minCheckMs) break;
    const ids = recordIds.slice(at, at + maxIdsPerFetch);
    const limits = { timeoutMs: deadline.remainingMs };
    const found = await platform.fetchRows(scope, ids, fieldIds, limits);
    for (const id of found.missing) missing.add(id);
  }
  if (missing.size === 0) return;
  const problems = recordIds.flatMap((id, index) =>
    missing.has(id)
      ? {
          path: `$.recordIds[${index}]`,
          code: "missing",
          message: `The table "${table.name}" has no record "${id}".`,
        }
      : [],
  );
  throw new PlatenError("invalid_request", "Some records do not exist.", {
    problems: problems.slice(0, maxProblems),
  });
}
