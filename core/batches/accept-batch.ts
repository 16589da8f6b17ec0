import { setImmediate as turn } from "node:timers/promises";
import { type EntityManager, In, LessThan } from "typeorm";
import {
  parseExpiry,
  type RecentPayloads,
  type Signing,
  type TemplateToRender,
  getTemplateToRender,
  type RenderRequest,
} from "../documents/index.js";
import {
  PlatenError,
  type Format,
  type ImageType,
} from "../plugin-api/index.js";
import type { Queue } from "../queue/index.js";
import {
  Batch,
  newId,
  type Store,
  Document,
  DocumentRecord,
  insertRow,
  insertRows,
} from "../storage/database/index.js";
import type { BatchDraft, DraftedItem } from "./batch-draft.js";
import { DOCUMENT_JOB } from "./document-job.js";
import { inChunks } from "./read-batches.js";

interface AcceptParts {
  store: Store;
  queue: Queue;
  signing: Pick<Signing, "prepare">;
  payloads: Pick<RecentPayloads, "note">;
}

/** As many rows as one transaction may write on SQLite, whose other writers wait meanwhile. */
const smallBatch = 500;

/**
 * Writes the batch, its documents as `queued` and their wake-ups; of a platform's records only the first two. On MySQL in one transaction. On SQLite, a batch that
 * is not small is written chunk by chunk, with other writers between, and becomes visible at its end; the wake-ups
 * follow, and what a crash leaves out of them is found by a sweep.
 * @throws PlatenError `invalid_request` or `not_found`, before anything is written.
 */
export async function acceptBatch(
  parts: AcceptParts,
  order: BatchOrder,
  draft: BatchDraft,
  alongside?: Alongside,
): Promise<Batch> {
  const { store, queue, payloads } = parts;
  const plan = await planBatch(parts, order, draft);
  const planned = { ...plan, payloads, alongside };
  const isApart = store.dialect === "sqlite" && draft.count > smallBatch;
  if (isApart) await writeApart(store, queue, planned);
  else await writeTogether(store, queue, planned);
  queue.nudge(DOCUMENT_JOB);
  return planned.batch;
}

async function writeTogether(
  { unitOfWork }: Store,
  queue: Queue,
  planned: PlannedBatch,
): Promise<void> {
  await unitOfWork.run(async (tx) => {
    for await (const step of acceptSteps(queue, planned)) await step(tx);
  });
}

async function writeApart(
  store: Store,
  queue: Queue,
  planned: PlannedBatch,
): Promise<void> {
  try {
    for await (const step of acceptSteps(queue, planned)) {
      await store.unitOfWork.run(step);
      // SQLite writes without a turn of the event loop, and other requests wait for one.
      await turn();
    }
  } catch (error) {
    await discardBatch(store, planned.batch.id);
    throw error;
  }
}

async function planBatch(
  { store: { read }, signing }: AcceptParts,
  order: BatchOrder,
  draft: BatchDraft,
): Promise<Omit<PlannedBatch, "payloads">> {
  if (draft.count === 0) throw noItems();
  const now = new Date();
  const expiresAt = parseExpiry(order.expiresAt, now);
  const template = await snapshot(read, order);
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
    platform: order.platform ?? null,
    signing: await signingOf(signing, order, template, now),
    retryOf: order.retryOf ?? null,
    cancelledAt: null,
    recordsPurgeAt: isLater ? lastExpiry : expiresAt,
    createdById: order.createdById,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
  };
  return { batch, expiresAt, items: () => draft.items() };
}

/** A batch keeps to one snapshot: the definition may change while it runs. */
async function snapshot(
  read: Store["read"],
  order: BatchOrder,
): Promise<TemplateToRender> {
  const { version } = await getTemplateToRender(read, order);
  return getTemplateToRender(read, { ...order, templateVersion: version });
}

function noItems(): PlatenError {
  return new PlatenError("invalid_request", "The batch is empty.", {
    problems: [
      {
        path: "$.items",
        code: "too_small",
        message: "must hold at least 1.",
      },
    ],
  });
}

/** What is said of a batch as a whole. */
export interface BatchOrder {
  organizationId: string;
  /** Who is named as the documents' author. */
  createdById: string;
  templateId: string;
  /** A snapshot's number; without it, the newest. */
  templateVersion?: number | undefined;
  /** At least one, each once. */
  formats: readonly Format[];
  imageType?: ImageType | undefined;
  renderOptions?: RenderRequest["renderOptions"];
  /** See `parseExpiry`; of items that bring none. */
  expiresAt?: string | undefined;
  /** Whether its documents go to signing; who signs them, their template and their records say. */
  sendForSignature?: boolean | undefined;
  /** The id of a saved e-signature connection; without it, the template's. */
  esignConnection?: string | undefined;
  /** Where the records are; without it, the items bring their data. */
  platform?: string | undefined;
  /** The batch whose failed documents these are. */
  retryOf?: string | undefined;
}

/** A batch that is about to be written. */
interface PlannedBatch {
  batch: Batch;
  /** Of items that bring none. */
  expiresAt: Date;
  /** From the first, at every call. */
  items(): AsyncIterable<DraftedItem>;
  payloads: Pick<RecentPayloads, "note">;
  alongside?: Alongside | undefined;
}

/** Written in the transaction that brings the batch in sight; when it rejects, there is no batch. */
export type Alongside = (tx: EntityManager, batch: Batch) => Promise<void>;

/** A part of the acceptance: all in one transaction, or one after the other, in which case `publish` shows them. */
type Step = (tx: EntityManager) => Promise<void>;

const rowsPerInsert = 250;
const jobsPerInsert = 500;

/** The batch unseen, its documents with their records, the batch in sight, the wake-ups. */
async function* acceptSteps(
  queue: Queue,
  planned: PlannedBatch,
): AsyncGenerator<Step> {
  const { batch } = planned;
  yield (tx) => insertRow(tx, Batch, batch);
  let index = 0;
  for await (const items of inChunks(planned.items(), rowsPerInsert)) {
    const first = index;
    index += items.length;
    yield (tx) => insertItems(tx, planned, items, first);
  }
  yield (tx) => publish(tx, planned);
  // Whoever brings their data wakes them.
  if (batch.platform !== null) return;
  for await (const items of inChunks(planned.items(), jobsPerInsert))
    yield (tx) => queue.enqueue(tx, items.map(jobOf(batch)));
}

async function insertItems(
  tx: EntityManager,
  planned: PlannedBatch,
  items: readonly DraftedItem[],
  first: number,
): Promise<void> {
  const documents = items.map((item, at) =>
    documentRow(planned, item, first + at),
  );
  await insertRows(tx, Document, documents);
  if (planned.batch.platform !== null) return;
  const records = items.map(({ documentId, data }) => ({
    documentId,
    batchId: planned.batch.id,
    data,
  }));
  await insertRows(tx, DocumentRecord, records);
  if (first === 0) await notePayload(tx, planned, items);
}

/** Of all its records, the first is for whoever designs the template. */
async function notePayload(
  tx: EntityManager,
  { payloads, batch }: PlannedBatch,
  [first]: readonly DraftedItem[],
): Promise<void> {
  if (first === undefined) return;
  const { organizationId, templateId, createdAt } = batch;
  const payload = {
    organizationId,
    templateId,
    source: "batch",
    json: () => first.data,
  } as const;
  await payloads.note(tx, payload, createdAt);
}

async function publish(
  tx: EntityManager,
  { batch, alongside }: PlannedBatch,
): Promise<void> {
  const unseen = { id: batch.id, status: "accepting" } as const;
  await tx.update(Batch, unseen, { status: "queued" });
  await alongside?.(tx, batch);
}

function jobOf({ organizationId }: Batch) {
  return ({ documentId }: DraftedItem) => ({
    kind: DOCUMENT_JOB,
    rowId: documentId,
    partitionKey: organizationId,
  });
}

function documentRow(
  { batch, expiresAt }: PlannedBatch,
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
    formats: item.formats ?? batch.formats,
    imageType,
    isTest: false,
    metadata: {
      ...item.metadata,
      batchId: batch.id,
      batchIndex,
      totalCount: batch.totalCount,
    },
    batchId: batch.id,
    batchIndex,
    expiresAt: item.expiresAt ?? expiresAt,
    createdById,
    createdAt,
    updatedAt: createdAt,
    ...untouched(),
  };
}

/** Of a document that no worker has seen. */
function untouched() {
  return {
    status: "queued" as const,
    outputs: [],
    fileName: null,
    error: null,
    attempts: 0,
    interruptions: 0,
    isRetrying: false,
    lockToken: null,
    lockedUntil: null,
    purgeAt: null,
    completedAt: null,
  };
}

/** What is kept of how a batch's documents go to signing. @throws PlatenError `invalid_request` where they cannot. */
async function signingOf(
  signing: Pick<Signing, "prepare">,
  order: BatchOrder,
  template: TemplateToRender,
  now: Date,
): Promise<Batch["signing"]> {
  const { sendForSignature, organizationId, createdById } = order;
  if (!sendForSignature) return null;
  const { schema } = await template.definition();
  const { esignConnection } = order;
  const connection = schema[0]?.connection ?? null;
  await signing.prepare(
    { organizationId, createdById, esignConnection, connection },
    now,
  );
  return esignConnection === undefined ? {} : { esignConnection };
}

const chunk = 500;
/** Longer than any acceptance takes. */
const youngestMs = 60 * 60_000;

/** Removes a batch that was never accepted, chunk by chunk; one that was accepted stays. */
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
      take: chunk,
    });
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) break;
    await unitOfWork.run(async (tx) => {
      await tx.delete(DocumentRecord, { documentId: In(ids) });
      await tx.delete(Document, { id: In(ids), batchId });
    });
  }
  await unitOfWork.run((tx) => tx.delete(Batch, where));
}

/** Removes what crashes in the middle of an acceptance have left: nobody was told of it. */
export async function discardAbandonedBatches(
  store: Pick<Store, "read" | "unitOfWork">,
  now: Date,
): Promise<void> {
  const createdAt = LessThan(new Date(now.getTime() - youngestMs));
  const rows = await store.read.find(Batch, {
    where: { status: "accepting", createdAt },
    select: { id: true },
  });
  for (const { id } of rows) await discardBatch(store, id);
}
