import { Readable } from "node:stream";
import type { Caller } from "../../accounts/index.js";
import type { Claim, IdempotencyKeys } from "../../accounts/limits/index.js";
import type { Alongside, BatchDraft, Batches } from "../../batches/index.js";
import { answerOnce } from "../answer-once.js";
import type { HttpContext } from "../http-state.js";
import { operation, type Operation } from "../operation.js";
import { hashBatch, readBatch } from "../read-batch.js";
import { acceptedBatch, batchBody } from "../schemas/batch.js";

export interface BatchServices {
  batches: Batches;
  idempotencyKeys: IdempotencyKeys;
  maxBatchBodyBytes: number;
  /** Of a single request, and so of an item. */
  maxBodyBytes: number;
}

/** Accept many records, each to be rendered in the background. */
export function exportBatchOperation(services: BatchServices): Operation {
  return operation({
    id: "exportBatch",
    method: "post",
    path: "/api/export/batch",
    scope: "documents:write",
    tag: "Batches",
    summary: "Render many documents in the background",
    description:
      "For the plans premium and enterprise. Each item is one document. All is checked before anything is written; " +
      "then every document is `queued`, and rendered as soon as a worker has time. Webhooks tell of each document and " +
      "of the whole batch. The body may be large, in any order of its names, and is read as it arrives. " +
      "With an `Idempotency-Key` the request can be sent again for 24 hours: one batch, and the same answer.",
    body: batchBody,
    readsBody: true,
    reply: {
      status: 202,
      description: "The batch, with every document queued.",
      schema: acceptedBatch,
    },
    errors: [404, 409, 413],
    handle: ({ caller, ctx }) => accept(services, caller, ctx),
  });
}

async function accept(
  services: BatchServices,
  caller: Caller,
  ctx: HttpContext,
): Promise<Readable> {
  const { batches } = services;
  const draft = await batches.draft(caller);
  try {
    const id = await acceptOnce(services, caller, ctx, draft);
    return Readable.from(await batches.answer(caller.organizationId, id));
  } finally {
    await draft.close();
  }
}

/** @returns the batch's id; of a request that was sent before, the one that was made then. */
async function acceptOnce(
  { batches, idempotencyKeys, maxBatchBodyBytes, maxBodyBytes }: BatchServices,
  { organizationId, userId: createdById }: Caller,
  ctx: HttpContext,
  draft: BatchDraft,
): Promise<string> {
  const key = ctx.get("idempotency-key");
  const fingerprintOf = (hash: string) =>
    idempotencyKeys.fingerprint("exportBatch", hash);
  const work = async (claim?: Claim) => {
    const read = await readBatch(ctx.req, draft, {
      bodyBytes: maxBatchBodyBytes,
      itemBytes: maxBodyBytes,
    });
    const order = { ...read.settings, organizationId, createdById };
    const keep: Alongside = async (tx, { id }) =>
      claim?.keep(tx, fingerprintOf(read.hash), id);
    return (await batches.accept(order, draft, keep)).id;
  };
  if (key === "") return work();
  return answerOnce(idempotencyKeys, {
    organizationId,
    key,
    fingerprint: async () =>
      fingerprintOf(await hashBatch(ctx.req, maxBatchBodyBytes)),
    work,
    again: async (id) => {
      ctx.set("idempotency-replayed", "true");
      return id;
    },
  });
}
