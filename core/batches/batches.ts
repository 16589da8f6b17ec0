import type { EntityManager } from "typeorm";
import type { RecentPayloads, Signing } from "../documents/index.js";
import {
  type FileStore,
  type Output,
  PlatenError,
} from "../plugin-api/index.js";
import type { Queue } from "../queue/index.js";
import {
  type Batch,
  type Document,
  isDuplicate,
  type PageRequest,
  type Plan,
  type Store,
} from "../storage/database/index.js";
import type { EventNudge } from "../webhooks/index.js";
import {
  acceptBatch,
  type Alongside,
  type BatchOrder,
} from "./accept-batch.js";
import {
  type ArchiveEntry,
  checkArchive,
  readArchiveEntries,
} from "./archive.js";
import { BatchDraft, deleteOldDraftFiles } from "./batch-draft.js";
import { cancelBatch } from "./cancel-batch.js";
import {
  type BatchList,
  type BatchView,
  findBatch,
  listBatches,
  readBatch,
  writeAcceptedBatch,
} from "./read-batches.js";
import { draftRetry } from "./retry-batch.js";

/**
 * Knows the data of batches that were accepted without it (`Batch.platform`): stores each document's record and then
 * enqueues the document, and is notified of those that succeed.
 */
export interface RecordSource {
  /** Has the record of a document, which a worker found missing, fetched soon. */
  bring(tx: EntityManager, document: Document): Promise<void>;
  /** Joins the transaction in which a document of such a batch succeeds. */
  succeeded(
    tx: EntityManager,
    document: Document,
    outputs: readonly Output[],
  ): Promise<void>;
  /** Joins the acceptance of a batch that retries another one. */
  retried(tx: EntityManager, from: Batch, to: Batch): Promise<void>;
  /** Called after transactions that `succeeded` or `retried` has joined. */
  nudge(): void;
}

export interface BatchesParts {
  store: Store;
  queue: Queue;
  files: FileStore;
  events: EventNudge;
  records: RecordSource;
  signing: Pick<Signing, "prepare">;
  payloads: Pick<RecentPayloads, "note">;
  /** The folder for records that are not accepted yet. */
  draftFolder: string;
  maxItems: number;
}

export interface BatchOwner {
  organizationId: string;
  plan: Plan;
}

/** The batches of organizations; those of other organizations are treated as missing. */
export class Batches {
  constructor(private readonly parts: BatchesParts) {}

  /** Deletes files of processes that were killed. Call once, at the start. */
  async prepare(): Promise<void> {
    await deleteOldDraftFiles(this.parts.draftFolder);
  }

  /** An empty draft, which the caller closes. @throws PlatenError `invalid_request` for a plan without batches. */
  async draft({ plan }: Pick<BatchOwner, "plan">): Promise<BatchDraft> {
    requireBatchPlan(plan);
    return BatchDraft.open(this.parts.draftFolder, this.parts.maxItems);
  }

  /** @throws PlatenError `invalid_request` or `not_found`, and then nothing is written. */
  async accept(
    order: BatchOrder,
    draft: BatchDraft,
    alongside?: Alongside,
  ): Promise<Batch> {
    return acceptBatch(this.parts, order, draft, alongside);
  }

  /** The response to an accepted batch, as JSON text in pieces. @throws PlatenError `not_found`, before the first piece. */
  async answer(
    organizationId: string,
    id: string,
  ): Promise<AsyncIterable<string>> {
    const { read } = this.parts.store;
    return writeAcceptedBatch(read, await findBatch(read, organizationId, id));
  }

  async list(organizationId: string, page: PageRequest): Promise<BatchList> {
    return this.parts.store.snapshot((read) =>
      listBatches(read, organizationId, page),
    );
  }

  /** With a page of its documents. @throws PlatenError `not_found`. */
  async get(
    organizationId: string,
    id: string,
    page: PageRequest,
  ): Promise<BatchView> {
    return this.parts.store.snapshot((read) =>
      readBatch(read, organizationId, id, page),
    );
  }

  /** @throws PlatenError `not_found`; `conflict` for a batch that is completed. */
  async cancel(organizationId: string, id: string): Promise<void> {
    await cancelBatch(this.parts.store, organizationId, id);
    this.parts.events.nudge();
  }

  /** Creates a new batch of the failed documents. @throws PlatenError `not_found`; `conflict` when there is nothing to retry. */
  async retry(owner: BatchOwner, id: string): Promise<Batch> {
    const { store, records } = this.parts;
    const batch = await findBatch(store.read, owner.organizationId, id);
    const draft = await this.draft(owner);
    try {
      const order = await draftRetry(store, batch, draft);
      if (batch.platform === null) return await this.accept(order, draft);
      const accepted = await this.accept(order, draft, (tx, next) =>
        records.retried(tx, batch, next),
      );
      records.nudge();
      return accepted;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      throw new PlatenError(
        "conflict",
        "Another request has just retried this batch. List the batches to find the new one.",
      );
    } finally {
      await draft.close();
    }
  }

  /** All files that are ready. @throws PlatenError `not_found`; `conflict` or `gone` when there is none. */
  async archive(
    organizationId: string,
    id: string,
  ): Promise<AsyncIterable<ArchiveEntry>> {
    const { store, files } = this.parts;
    const batch = await findBatch(store.read, organizationId, id);
    await checkArchive(store, batch);
    return readArchiveEntries(store, files, id);
  }
}

const plansWithBatches: readonly Plan[] = ["premium", "enterprise"];

/** The plan decides; quota and balance never block a batch. @throws PlatenError `invalid_request`. */
export function requireBatchPlan(plan: Plan): void {
  if (plansWithBatches.includes(plan)) return;
  throw new PlatenError(
    "invalid_request",
    `Batches require the plan premium or enterprise; this organization's plan is ${plan}. ` +
      "Render its documents one by one with POST /api/export, or change the plan.",
  );
}
