import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type EntityManager, In, LessThan } from "typeorm";
import {
  type DataValidation,
  getTemplateToRender,
  parseExpiry,
  type RecentPayloads,
  type RenderRequest,
  type Signing,
  type TemplateToRender,
} from "../documents/index.js";
import { clock } from "../lib/clock.js";
import {
  type Format,
  type ImageType,
  PlatenError,
  type Problem,
} from "../plugin-api/index.js";
import type { NewJob, Queue } from "../queue/index.js";
import {
  Batch,
  type DeliverEntry,
  BatchMerge,
  Document,
  DocumentRecord,
  insertRow,
  insertRows,
  type MergeOptions,
  newId,
  type PreparedDelivery,
  type Store,
} from "../storage/database/index.js";
import { createToken, provide } from "../lib/injection.js";
import { CONFIG } from "../lib/process-values.js";
import type { BatchDraft, DraftedItem } from "./batch-draft.js";
import {
  completeMergeOptions,
  insertMerge,
  type MergeRequest,
} from "./merge-batch.js";
import { inChunks } from "./read-batches.js";

export const MAX_BATCH_ITEMS = createToken<number>("maximum of batch items");
provide(MAX_BATCH_ITEMS, (c) => c.resolve(CONFIG).batch.maxItems);
/** Delivers the documents of batches. Implemented by deliveries. */
export const DOCUMENT_DELIVERIES =
  createToken<DocumentDeliveries>("DocumentDeliveries");

export interface BatchOptions {
  organizationId: string;
  createdById: string;
  templateId: string;
  /** A snapshot's number; default: the newest. */
  templateVersion?: number | undefined;
  /** At least one, each once. */
  formats: readonly Format[];
  imageType?: ImageType | undefined;
  /** BCP 47, for items without their own; default: that of each record or the template. */
  locale?: string | undefined;
  renderOptions?: RenderRequest["renderOptions"];
  /** Fails documents with any problem that their report would list. */
  strict?: boolean | undefined;
  /** What happens to fields that the schema does not declare; `allow` by default. */
  unknownFields?: RenderRequest["unknownFields"];
  /** Checks all items against the template's schema before the batch is accepted. */
  validate?: boolean | undefined;
  /** The request's list of items, for the paths of problems; `items` by default. */
  listName?: "items" | "documents" | undefined;
  /** See `parseExpiry`; for items without their own. */
  expiresAt?: string | undefined;
  /** Whether its documents are sent for signature; the template and the records name the signers. */
  sendForSignature?: boolean | undefined;
  /** The id of a saved e-signature connection; default: the template's. */
  esignConnection?: string | undefined;
  /** The platform that has the records; without it, the items contain their data. */
  platform?: string | undefined;
  /** Where its documents are delivered; default: where the template says. Empty: nowhere. */
  deliver?: readonly DeliverEntry[] | undefined;
  /** Joins the documents in one file when all have ended; they need the format `pdf`. */
  merge?: MergeRequest | undefined;
  /** The batch whose failed documents are retried. */
  retryOf?: string | undefined;
  /** The table of the file whose rows the items are. */
  source?: Batch["source"] | undefined;
}

/** Runs in the transaction that makes the batch visible; when it rejects, there is no batch. */
export type AcceptCallback = (tx: EntityManager, batch: Batch) => Promise<void>;

export interface AcceptPorts {
  store: Store;
  queue: Queue;
  signing: Pick<Signing, "prepare">;
  payloads: Pick<RecentPayloads, "note">;
  validation: Pick<DataValidation, "findProblems">;
  deliveries: Pick<DocumentDeliveries, "prepare">;
}

export interface DeliverOrder extends Pick<
  BatchOptions,
  "organizationId" | "createdById" | "templateId" | "deliver"
> {
  definition: TemplateToRender["definition"];
}

export interface DocumentDeliveries {
  /**
   * Checks where documents go. @returns what the batch stores; null for nowhere.
   * @throws PlatenError `invalid_request` that lists all problems, with paths below `$.deliver`.
   */
  prepare(order: DeliverOrder): Promise<PreparedDelivery[] | null>;
  /** Checks where the documents of a template would go. @throws PlatenError as `prepare` does. */
  check(order: Omit<DeliverOrder, "definition">): Promise<void>;
  /** Joins the transaction in which a document succeeds. */
  succeeded(
    tx: EntityManager,
    document: Pick<Document, "id" | "organizationId" | "batchId">,
    deliver: readonly PreparedDelivery[],
  ): Promise<void>;
  /** Called after transactions that `succeeded` has joined. */
  nudge(): void;
}

/** The kind of the jobs that name a queued document. */
export const DOCUMENT_JOB = "document";

/** The most rows that one transaction may write on SQLite, whose other writers wait meanwhile. */
const smallBatch = 500;
const rowsPerTransaction = 100;
/** Each statement takes a round trip to a server. */
const rowsPerServerInsert = 500;
/** Of the data of items that are inserted together: MariaDB and MySQL refuse statements of more than 16 MB. */
const charactersPerInsert = 1024 * 1024;
/** Longer than any acceptance takes. */
const abandonedAfterMs = 60 * 60_000;

interface PlannedBatch {
  batch: Batch;
  /** For items without their own. */
  expiresAt: Date;
  /** For items without their own. */
  locale: string | null;
  draft: BatchDraft;
  /** Null for no merged file. */
  merge: MergeOptions | null;
  alongside: AcceptCallback | undefined;
}

/**
 * Writes the batch, its documents as `queued`, and their jobs; the jobs of a platform's records follow when the records
 * are fetched. On MySQL in one transaction. On SQLite, a batch that is not small is written chunk by chunk, with other
 * writers between, who must not wait for its draft to be read either, and becomes visible at the end; a sweep adds jobs
 * that a crash left out.
 * @throws PlatenError `invalid_request` or `not_found`, before anything is written.
 */
export async function acceptBatch(
  ports: AcceptPorts,
  order: BatchOptions,
  draft: BatchDraft,
  alongside?: AcceptCallback,
): Promise<Batch> {
  const { store, queue } = ports;
  const planned = await planBatch(ports, order, draft, alongside);
  const isSmall = draft.count <= smallBatch && draft.isInMemory;
  const isChunked = store.dialect === "sqlite" && !isSmall;
  if (isChunked) await writeInChunks(ports, planned);
  else
    await store.unitOfWork.run(async (tx) => {
      for await (const step of acceptSteps(ports, planned)) await step(tx);
    });
  queue.nudge(DOCUMENT_JOB);
  return planned.batch;
}

async function planBatch(
  { store: { read }, signing, validation, deliveries }: AcceptPorts,
  order: BatchOptions,
  draft: BatchDraft,
  alongside: AcceptCallback | undefined,
): Promise<PlannedBatch> {
  if (draft.count === 0)
    throw new PlatenError("invalid_request", "The batch is empty.", {
      problems: [
        {
          path: "$.items",
          code: "too_small",
          message: "must contain at least one item.",
        },
      ],
    });
  const now = clock.date();
  const expiresAt = parseExpiry(order.expiresAt, now);
  // A batch keeps to one snapshot: the definition may change while it runs.
  const { version } = await getTemplateToRender(read, order);
  const pinned = { ...order, templateVersion: version };
  const template = await getTemplateToRender(read, pinned);
  const merge = order.merge
    ? await completeMergeOptions(read, order, order.merge)
    : null;
  if (order.validate) await validateItems(validation, template, order, draft);
  const { lastExpiry } = draft;
  const isLater = lastExpiry !== null && lastExpiry > expiresAt;
  const batch: Batch = {
    id: newId("batch"),
    organizationId: order.organizationId,
    templateId: order.templateId,
    templateVersion: template.version,
    definitionHash: template.definitionHash,
    status: "accepting",
    totalCount: draft.count,
    remaining: draft.count,
    formats: [...order.formats],
    imageType: order.imageType ?? "png",
    renderOptions: order.renderOptions ?? null,
    strict: order.strict ?? false,
    unknownFields: order.unknownFields ?? "allow",
    platform: order.platform ?? null,
    source: order.source ?? null,
    signing: await prepareSigning(signing, order, template, now),
    deliver: await deliveries.prepare({
      ...order,
      definition: template.definition,
    }),
    retryOf: order.retryOf ?? null,
    cancelledAt: null,
    recordsPurgeAt: isLater ? lastExpiry : expiresAt,
    emptyLists: null,
    createdById: order.createdById,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
  };
  const { locale = null } = order;
  return { batch, expiresAt, locale, draft, merge, alongside };
}

const maxProblems = 1000;

/** Items that are checked together: their number, and their characters. */
const itemsPerCheck = 200;
const charactersPerCheck = 128 * 1024;

/** Reads the items part by part. @throws PlatenError `invalid_request` that lists the problems of all items. */
async function validateItems(
  validation: AcceptPorts["validation"],
  template: TemplateToRender,
  { organizationId, strict, unknownFields, listName = "items" }: BatchOptions,
  draft: BatchDraft,
): Promise<void> {
  const isWarned = unknownFields === "warn" && !strict;
  // A warning does not keep a document from being made.
  const options = { ...(unknownFields && !isWarned && { unknownFields }) };
  const problems: Problem[] = [];
  let index = 0;
  for await (const items of inChunks(
    draft.items(),
    itemsPerCheck,
    charactersPerCheck,
    countCharacters,
  )) {
    const first = index;
    index += items.length;
    const records = items.map(({ data }, at) => {
      const path = `$.${listName}[${first + at}].data`;
      return { data: JSON.parse(data) as unknown, path };
    });
    problems.push(
      ...(await validation.findProblems(
        template,
        organizationId,
        records,
        options,
      )),
    );
    if (problems.length >= maxProblems) break;
  }
  if (problems.length === 0) return;
  throw new PlatenError(
    "invalid_request",
    `The batch was not accepted because validate is true and its data does not fit version ${template.version} of the template.`,
    { problems: problems.slice(0, maxProblems) },
  );
}

function countCharacters({ data, source }: DraftedItem): number {
  return data.length + (source?.length ?? 0);
}

/** @returns the signing options to store. @throws PlatenError `invalid_request` where the documents cannot be signed. */
async function prepareSigning(
  signing: Pick<Signing, "prepare">,
  order: BatchOptions,
  template: TemplateToRender,
  now: Date,
): Promise<Batch["signing"]> {
  const { organizationId, createdById, esignConnection } = order;
  if (!order.sendForSignature) return null;
  const { schema } = await template.definition();
  const connection = schema[0]?.connection ?? null;
  await signing.prepare(
    { organizationId, createdById, esignConnection, connection },
    now,
  );
  return esignConnection === undefined ? {} : { esignConnection };
}

async function writeInChunks(
  ports: AcceptPorts,
  planned: PlannedBatch,
): Promise<void> {
  const { store } = ports;
  try {
    for await (const step of acceptSteps(ports, planned)) {
      await store.unitOfWork.run(step);
      // SQLite writes synchronously, and other requests wait for a turn.
      await yieldToEventLoop();
    }
  } catch (error) {
    await discardBatch(store, planned.batch.id);
    throw error;
  }
}

/**
 * The hidden batch, its documents with their records, the change that makes it visible, and the jobs: all in one
 * transaction, or each step in its own.
 */
async function* acceptSteps(
  { store, queue, payloads }: AcceptPorts,
  planned: PlannedBatch,
): AsyncGenerator<(tx: EntityManager) => Promise<void>> {
  const { batch, draft, merge, alongside } = planned;
  const { id, organizationId, templateId, createdAt } = batch;
  const hasData = batch.platform === null;
  yield async (tx) => {
    await insertRow(tx, Batch, batch);
    if (merge) await insertMerge(tx, batch, merge);
  };
  const maxRows =
    store.dialect === "sqlite" ? rowsPerTransaction : rowsPerServerInsert;
  let index = 0;
  for await (const items of inChunks(
    draft.items(),
    maxRows,
    charactersPerInsert,
    countCharacters,
  )) {
    const first = index;
    index += items.length;
    yield async (tx) => {
      const documents = items.map((item, at) =>
        toDocument(planned, item, first + at),
      );
      await insertRows(tx, Document, documents);
      if (!hasData) return;
      const records = items.map(({ documentId, data, source }) => ({
        documentId,
        batchId: id,
        data,
        source,
      }));
      await insertRows(tx, DocumentRecord, records);
      const [sample] = items;
      if (first > 0 || sample === undefined) return;
      // The first record is enough as an example for the template's designer.
      const payload = {
        organizationId,
        templateId,
        source: "batch",
        json: () => sample.data,
      } as const;
      await payloads.note(tx, payload, createdAt);
    };
  }
  yield async (tx) => {
    await tx.update(Batch, { id, status: "accepting" }, { status: "queued" });
    await alongside?.(tx, batch);
  };
  // Documents of a platform are enqueued when their records are stored.
  if (!hasData) return;
  for await (const items of inChunks(draft.items(), maxRows))
    yield (tx) => {
      const jobs = items.map(({ documentId }) =>
        toDocumentJob({ id: documentId, organizationId }),
      );
      return queue.enqueue(tx, jobs);
    };
}

export function toDocumentJob({
  id,
  organizationId,
}: Pick<Document, "id" | "organizationId">): NewJob {
  return { kind: DOCUMENT_JOB, rowId: id, partitionKey: organizationId };
}

function toDocument(
  { batch, expiresAt, locale }: PlannedBatch,
  item: DraftedItem,
  batchIndex: number,
): Omit<Document, never> {
  const { organizationId, templateId, templateVersion } = batch;
  const { definitionHash, imageType, createdById, createdAt } = batch;
  return {
    id: item.documentId,
    organizationId,
    templateId,
    templateVersion,
    definitionHash,
    status: "queued",
    formats: item.formats ?? batch.formats,
    locale: item.locale ?? locale,
    imageType,
    isTest: false,
    outputs: [],
    fileName: null,
    error: null,
    metadata: {
      ...item.metadata,
      batchId: batch.id,
      batchIndex,
      totalCount: batch.totalCount,
      ...(item.retryOf !== null && { platen: { retryOf: item.retryOf } }),
    },
    batchId: batch.id,
    batchIndex,
    attempts: 0,
    interruptions: 0,
    isRetrying: false,
    lockToken: null,
    lockedUntil: null,
    expiresAt: item.expiresAt ?? expiresAt,
    purgeAt: null,
    createdById,
    createdAt,
    updatedAt: createdAt,
    completedAt: null,
  };
}

/** Deletes a batch that was never accepted, chunk by chunk; an accepted one stays. */
async function discardBatch(
  { read, unitOfWork }: Pick<Store, "read" | "unitOfWork">,
  batchId: string,
): Promise<void> {
  const where = { id: batchId, status: "accepting" } as const;
  if (!(await read.existsBy(Batch, where))) return;
  for (;;) {
    const rows = await read.find(Document, {
      where: { batchId },
      select: { id: true },
      take: rowsPerTransaction,
    });
    if (rows.length === 0) break;
    const ids = In(rows.map(({ id }) => id));
    await unitOfWork.run(async (tx) => {
      await tx.delete(DocumentRecord, { documentId: ids });
      await tx.delete(Document, { id: ids, batchId });
    });
  }
  await unitOfWork.run(async (tx) => {
    await tx.delete(BatchMerge, { batchId });
    await tx.delete(Batch, where);
  });
}

/** Deletes batches whose acceptance a crash interrupted; no caller has seen them. */
export async function discardAbandonedBatches(
  store: Pick<Store, "read" | "unitOfWork">,
  now: Date,
): Promise<void> {
  const createdAt = LessThan(new Date(now.getTime() - abandonedAfterMs));
  const rows = await store.read.find(Batch, {
    where: { status: "accepting", createdAt },
    select: { id: true },
  });
  for (const { id } of rows) await discardBatch(store, id);
}
