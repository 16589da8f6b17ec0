import { type EntityManager, In } from "typeorm";
import {
  assertItemCount,
  type AcceptCallback,
  Batches,
  type BatchOptions,
  findBatch,
  requireBatchPlan,
  MAX_BATCH_ITEMS,
} from "../../batches/index.js";
import { chunksOf } from "../../lib/chunks.js";
import { clock } from "../../lib/clock.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import {
  Deadline,
  isSignedOutput,
  PlatenError,
  type Problem,
} from "../../plugin-api/index.js";
import { type Queue, QUEUE } from "../../queue/index.js";
import {
  type Batch,
  Document,
  findForUpdate,
  getDatabaseTime,
  Organization,
  type RecordBatch,
  type Store,
  WriteBack,
  STORE,
} from "../../storage/database/index.js";
import { ConnectionService } from "../connections/index.js";
import {
  type Destination,
  type DestinationRequest,
  checkTimeoutMs,
  resolveDestination,
} from "./destination.js";
import { createWriteBackJob, WRITE_BACK_JOB } from "./jobs.js";
import { groupRecords } from "./record-groups.js";
import {
  findRecordBatch,
  findRecordsInProgress,
  PlatformRecordSource,
} from "./record-source.js";
import { readVersions, type RecordVersions } from "./record-versions.js";
import {
  createNoneLeftError,
  createNoneSelectedError,
  listFirstTimeoutMs,
  listPages,
  listSelected,
  listTimeoutMs,
  maxIdLength,
  type RecordSelector,
} from "./select-records.js";

/** A batch of a platform's records: these, those that it selects, or those of `firstSelected` that are among these. */
export interface RecordsRequest extends DestinationRequest {
  /** At least one, without duplicates. */
  recordIds?: readonly string[] | undefined;
  records?: RecordSelector | undefined;
  /** See `BatchOptions`. */
  locale?: string | undefined;
  strict?: boolean | undefined;
  unknownFields?: BatchOptions["unknownFields"];
  merge?: BatchOptions["merge"];
  sendForSignature?: boolean | undefined;
  esignConnection?: string | undefined;
  deliver?: BatchOptions["deliver"];
  /** Whether someone waits for it: it goes before the organization's other batches. Default false. */
  isUrgent?: boolean;
}

/** Runs in the transaction that makes a batch of these records visible; when it rejects, there is no batch. */
export type AcceptRecordsCallback = (
  tx: EntityManager,
  batch: Batch,
  recordIds: readonly string[],
) => Promise<void>;

/** The records that a selector selects now, some of which can become a batch. */
export interface SelectedRecords {
  /** In the order of the view. */
  recordIds: readonly string[];
  /** See `readVersions`. */
  readVersions(
    recordIds: readonly string[],
    signal: AbortSignal,
  ): Promise<RecordVersions>;
  /**
   * Accepts a batch of some of the records; the callback receives those that are not in another batch already.
   * @throws PlatenError as `generate`.
   */
  accept(
    recordIds: readonly string[],
    inTransaction: AcceptRecordsCallback,
  ): Promise<Batch>;
}

/** The time that must be left to check another part of the records. */
const minCheckMs = 2500;
const maxProblems = 51;
/** A page shows them, and its form carries their ids. */
const maxFirst = 1000;
const chunkSize = 500;

/** Batches of other organizations are treated as missing. */
@scoped(Lifecycle.ContainerScoped)
export class RecordBatches {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(Batches) private readonly batches: Batches,
    @inject(ConnectionService) private readonly connections: ConnectionService,
    @inject(PlatformRecordSource)
    private readonly records: PlatformRecordSource,
    @inject(MAX_BATCH_ITEMS) private readonly maxItems: number,
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
    const { store, connections } = this;
    requireBatchPlan(request.plan);
    const { recordIds = [], records: selector } = request;
    if (selector !== undefined && request.recordIds !== undefined)
      return this.generateShown(request, selector, recordIds, inTransaction);
    if (selector === undefined) {
      assertItemCount(recordIds.length, this.maxItems);
      assertRecordIds(recordIds);
    }
    const deadline = Deadline.after(checkTimeoutMs);
    const destination = await resolveDestination(
      { store, connections },
      request,
      deadline,
    );
    if (selector === undefined) {
      if (!destination.keyField)
        await assertRecordsExist(destination, recordIds, deadline);
      return this.accept(request, destination, recordIds, inTransaction);
    }
    const since = await getDatabaseTime(store.read);
    const selected = await listSelected(destination, selector, this.maxItems);
    return "emptyAttachment" in selector
      ? this.fillEmpty(request, destination, selected, since, inTransaction)
      : this.accept(request, destination, selected, inTransaction);
  }

  /**
   * Lists all records of a selector, for a caller that makes a batch of some of them.
   * @throws PlatenError as `generate`, but not for a selection without records.
   */
  async select(
    request: Omit<RecordsRequest, "recordIds">,
    selector: RecordSelector,
    signal: AbortSignal,
  ): Promise<SelectedRecords> {
    const { destination, since } = await this.open(request);
    const deadline = Deadline.after(listTimeoutMs, signal);
    const selected: string[] = [];
    for await (const ids of listPages(destination, selector, deadline)) {
      signal.throwIfAborted();
      selected.push(...ids);
    }
    return {
      recordIds: selected,
      readVersions: (recordIds, stop) =>
        readVersions(destination, recordIds, stop),
      accept: (recordIds, inTransaction) =>
        "emptyAttachment" in selector
          ? this.fillEmpty(
              request,
              destination,
              recordIds,
              since,
              inTransaction,
            )
          : this.accept(request, destination, recordIds, inTransaction),
    };
  }

  /** The first records that a request selects, at most 1,000, for a page that asks before it generates them. */
  async firstSelected(
    request: Omit<RecordsRequest, "recordIds">,
    selector: RecordSelector,
  ): Promise<{ recordIds: string[]; hasMore: boolean }> {
    const { destination, since } = await this.open(request);
    return this.listFirst(request, destination, selector, since);
  }

  /** Selects anew, because records may have changed since they were shown, and takes none that was not. */
  private async generateShown(
    request: RecordsRequest,
    selector: RecordSelector,
    shownIds: readonly string[],
    inTransaction?: AcceptRecordsCallback,
  ): Promise<Batch> {
    const { destination, since } = await this.open(request);
    const { recordIds } = await this.listFirst(
      request,
      destination,
      selector,
      since,
    );
    const wanted = new Set(shownIds);
    const left = recordIds.filter((id) => wanted.has(id));
    if (left.length === 0) throw createNoneSelectedError(selector);
    return "emptyAttachment" in selector
      ? this.fillEmpty(request, destination, left, since, inTransaction)
      : this.accept(request, destination, left, inTransaction);
  }

  private async open(
    request: RecordsRequest,
  ): Promise<{ destination: Destination; since: Date }> {
    const { store, connections } = this;
    requireBatchPlan(request.plan);
    const destination = await resolveDestination(
      { store, connections },
      request,
    );
    return { destination, since: await getDatabaseTime(store.read) };
  }

  private async listFirst(
    { organizationId }: RecordsRequest,
    destination: Destination,
    selector: RecordSelector,
    since: Date,
  ): Promise<{ recordIds: string[]; hasMore: boolean }> {
    const limit = Math.min(maxFirst, this.maxItems);
    const leaveOutTaken = async (ids: readonly string[]) => {
      if (!("emptyAttachment" in selector)) return ids;
      const place = { ...toPlace(destination), organizationId };
      const { read } = this.store;
      const taken = await findRecordsInProgress(read, place, ids, since);
      return ids.filter((id) => !taken.has(id));
    };
    const selectedIds: string[] = [];
    let pending: string[] = [];
    const deadline = Deadline.after(listFirstTimeoutMs);
    for await (const ids of listPages(destination, selector, deadline)) {
      pending.push(...ids);
      // What is in progress is read in large parts, since each reads all running batches.
      if (selectedIds.length + pending.length <= limit) continue;
      selectedIds.push(...(await leaveOutTaken(pending)));
      pending = [];
      if (selectedIds.length > limit) break;
    }
    selectedIds.push(...(await leaveOutTaken(pending)));
    return {
      recordIds: selectedIds.slice(0, limit),
      hasMore: selectedIds.length > limit,
    };
  }

  /**
   * Leaves out the records whose cell gets a file from another batch, so that batches which select empty cells at the
   * same time fill each of them once. @param since when the cells were found empty, or earlier, by the database's clock.
   */
  private async fillEmpty(
    request: RecordsRequest,
    destination: Destination,
    selected: readonly string[],
    since: Date,
    inTransaction?: AcceptRecordsCallback,
  ): Promise<Batch> {
    const { organizationId } = request;
    const find = (read: EntityManager, ids: readonly string[]) =>
      findRecordsInProgress(
        read,
        { ...toPlace(destination), organizationId },
        ids,
        since,
      );
    for (;;) {
      const taken = await find(this.store.read, selected);
      const left = selected.filter((id) => !taken.has(id));
      if (left.length === 0) throw createNoneLeftError(taken.size);
      try {
        return await this.accept(
          request,
          destination,
          left,
          inTransaction,
          // Before the batch can be seen by others: those that wait for the lock will find it.
          async (tx) => {
            await findForUpdate(tx, Organization, { id: organizationId });
            const late = await find(tx, left);
            if (late.size > 0) throw new RecordsTakenError();
          },
        );
      } catch (error) {
        if (!(error instanceof RecordsTakenError)) throw error;
      }
    }
  }

  private async accept(
    request: RecordsRequest,
    destination: Destination,
    recordIds: readonly string[],
    inTransaction?: AcceptRecordsCallback,
    assertFree?: (tx: EntityManager) => Promise<void>,
  ): Promise<Batch> {
    const { batches, records } = this;
    const { keyField } = destination;
    const draft = await batches.draft(request);
    try {
      if (keyField)
        for (const ids of await groupRecords(destination, keyField, recordIds))
          await draft.add({ metadata: { recordId: ids[0], recordIds: ids } });
      else
        for (const recordId of recordIds)
          await draft.add({ metadata: { recordId } });
      const order = {
        organizationId: request.organizationId,
        createdById: request.createdById,
        templateId: request.templateId,
        templateVersion: destination.templateVersion,
        platform: request.platform,
        formats: request.formats ?? ["pdf"],
        locale: request.locale,
        strict: request.strict,
        unknownFields: request.unknownFields,
        merge: request.merge,
        sendForSignature: request.sendForSignature,
        esignConnection: request.esignConnection,
        deliver: request.deliver,
      };
      const { field, plan } = destination;
      const batch = await batches.accept(order, draft, async (tx, row) => {
        await assertFree?.(tx);
        await records.accepted(tx, row, {
          ...toPlace(destination),
          fieldName: field?.name ?? null,
          mode: request.overwriteExisting ? "replace" : "append",
          plan,
          isUrgent: request.isUrgent ?? false,
        });
        await inTransaction?.(tx, row, recordIds);
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
    for (const some of chunksOf(failed, chunkSize))
      total += await this.retryChunk(batch, some);
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
    const now = clock.date();
    const documents = await store.read.find(Document, {
      where: { id: In(failed.map(({ documentId }) => documentId)) },
      select: { id: true, expiresAt: true },
    });
    const unexpiredIds = new Set(
      documents.filter(({ expiresAt }) => expiresAt > now).map(({ id }) => id),
    );
    const retried = failed.filter(
      ({ documentId, files }) =>
        unexpiredIds.has(documentId) || files.some(isSignedOutput),
    );
    const ids = retried.map(({ documentId }) => documentId);
    const cells = new Map(
      retried.map((writeBack) => [writeBack.cell, writeBack]),
    );
    const jobs = Array.from(cells.values(), (writeBack) =>
      createWriteBackJob(writeBack, batch),
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

/** Another batch has taken a record since the batch was drafted. */
class RecordsTakenError extends Error {}

/** The table and the field, as the batch is stored with them. */
function toPlace({ connection, scope, field }: Destination) {
  return {
    connectionId: connection.id,
    baseId: scope.baseId ?? null,
    tableId: scope.tableId,
    fieldId: field?.id ?? null,
  };
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
      problems: problems.slice(0, maxProblems),
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
    const fetched = await platform.fetchRows(scope, ids, fieldIds, limits);
    for (const id of fetched.missing) missing.add(id);
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
