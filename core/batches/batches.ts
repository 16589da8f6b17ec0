import { type EntityManager, Not } from "typeorm";
import type { RecentPayloads, Signing } from "../documents/index.js";
import {
  type FileStore,
  PlatenError,
  type Output,
} from "../plugin-api/index.js";
import type { Queue } from "../queue/index.js";
import {
  Batch,
  isDuplicate,
  type PageRequest,
  type Plan,
  type Store,
  isId,
  type Document,
} from "../storage/database/index.js";
import type { EventNudge } from "../webhooks/index.js";
import {
  acceptBatch,
  type Alongside,
  type BatchOrder,
} from "./accept-batch.js";
import {
  acceptedAnswer,
  type BatchView,
  type BatchList,
  listBatches,
  readBatch,
} from "./read-batches.js";
import { type ArchiveEntry, archiveEntries, checkArchive } from "./archive.js";
import { BatchDraft, removeLeftDrafts } from "./batch-draft.js";
import { cancelBatch } from "./cancel-batch.js";
import { draftRetry } from "./retry-batch.js";

export interface BatchesParts {
  store: Store;
  queue: Queue;
  files: FileStore;
  events: EventNudge;
  records: RecordSource;
  signing: Pick<Signing, "prepare">;
  payloads: Pick<RecentPayloads, "note">;
  /** Where records wait that are not accepted yet. */
  draftFolder: string;
  maxItems: number;
}

/** Who asks. */
export interface BatchOwner {
  organizationId: string;
  plan: Plan;
}

/** The batches of organizations. To one of them, another's do not exist. */
export class Batches {
  constructor(private readonly parts: BatchesParts) {}

  /** Clears up after processes that were killed. Call once, at the start. */
  async prepare(): Promise<void> {
    await removeLeftDrafts(this.parts.draftFolder);
  }

  /** An empty draft, to be closed by whoever asked for it. @throws PlatenError `invalid_request` for a plan without batches. */
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

  /** JSON text in pieces. @throws PlatenError `not_found`, before the first of them. */
  async answer(
    organizationId: string,
    id: string,
  ): Promise<AsyncIterable<string>> {
    const { read } = this.parts.store;
    return acceptedAnswer(read, await findBatch(read, organizationId, id));
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

  /** Makes a new batch of the failed documents. @throws PlatenError `not_found`; `conflict` when there is nothing to retry. */
  async retry(owner: BatchOwner, id: string): Promise<Batch> {
    const { store } = this.parts;
    const batch = await findBatch(store.read, owner.organizationId, id);
    const draft = await this.draft(owner);
    try {
      const order = await draftRetry(store, batch, draft);
      return await this.#acceptRetry(batch, order, draft);
    } catch (error) {
      throw isDuplicate(error) ? retriedMeanwhile() : error;
    } finally {
      await draft.close();
    }
  }

  async #acceptRetry(
    batch: Batch,
    order: BatchOrder,
    draft: BatchDraft,
  ): Promise<Batch> {
    if (batch.platform === null) return this.accept(order, draft);
    const { records } = this.parts;
    const accepted = await this.accept(order, draft, (tx, next) =>
      records.retried(tx, batch, next),
    );
    records.nudge();
    return accepted;
  }

  /** All files that are ready. @throws PlatenError `not_found`; `conflict` or `gone` when there is none. */
  async archive(
    organizationId: string,
    id: string,
  ): Promise<AsyncIterable<ArchiveEntry>> {
    const { store, files } = this.parts;
    const batch = await findBatch(store.read, organizationId, id);
    await checkArchive(store, batch);
    return archiveEntries(store, files, id);
  }
}

function retriedMeanwhile(): PlatenError {
  return new PlatenError(
    "conflict",
    "This batch was retried at this very moment. List the batches to find the new one.",
  );
}

const withBatches: readonly Plan[] = ["premium", "enterprise"];

/** Quota and balance never block a batch; the plan does. @throws PlatenError `invalid_request`. */
export function requireBatchPlan(plan: Plan): void {
  if (withBatches.includes(plan)) return;
  throw new PlatenError(
    "invalid_request",
    `Batches need the plan premium or enterprise; this organization's plan is ${plan}. ` +
      "Render its documents one by one with POST /api/export, or change the plan.",
  );
}

/** @throws PlatenError `not_found` for another organization's batch too, and for one that is not accepted yet. */
export async function findBatch(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<Batch> {
  const where = { id, organizationId, status: Not("accepting" as const) };
  const row = isId(id, "batch") ? await read.findOneBy(Batch, where) : null;
  if (row) return row;
  throw new PlatenError("not_found", "There is no such batch.");
}

/**
 * Who knows the data of batches that were accepted without it (`Batch.platform`). It brings each document its record
 * and then wakes it, and hears of those that succeed.
 */
export interface RecordSource {
  /** Sees to it that the data of a document, which a worker has found missing, is brought soon. */
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
