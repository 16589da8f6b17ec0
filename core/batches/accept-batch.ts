import { setImmediate as turn } from "node:timers/promises";
import { PlatenError } from "../plugin-api/index.js";
import {
  parseExpiry,
  type RecentPayloads,
  type Signing,
  type TemplateToRender,
  getTemplateToRender,
} from "../documents/index.js";
import type { Queue } from "../queue/index.js";
import { type Batch, newId, type Store } from "../storage/database/index.js";
import type { BatchDraft } from "./batch-draft.js";
import type { BatchOrder } from "./batch-order.js";
import {
  acceptSteps,
  type Alongside,
  type PlannedBatch,
} from "./accept-steps.js";
import { DOCUMENT_JOB } from "./document-job.js";
import { signingOf } from "./signing-of.js";
import { discardBatch } from "./discard-batch.js";

export interface AcceptParts {
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
