import { Readable } from "node:stream";
import type { Caller } from "../../account/index.js";
import type { Batches } from "../../batch/index.js";
import type { HttpContext } from "../http-state.js";
import { operation, type Operation } from "../operation.js";
import { readBatch } from "../read-batch.js";
import { acceptedBatch, batchBody } from "../schemas/batch.js";

export interface BatchServices {
  batches: Batches;
  maxBatchBodyBytes: number;
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
      "of the whole batch. The body may be large, in any order of its names, and is read as it arrives.",
    body: batchBody,
    readsBody: true,
    reply: {
      status: 202,
      description: "The batch, with every document queued.",
      schema: acceptedBatch,
    },
    errors: [404, 413],
    handle: ({ caller, ctx }) => accept(services, caller, ctx),
  });
}

async function accept(
  { batches, maxBatchBodyBytes }: BatchServices,
  caller: Caller,
  { req }: HttpContext,
): Promise<Readable> {
  const { organizationId, userId: createdById } = caller;
  const draft = await batches.draft(caller);
  try {
    const settings = await readBatch(req, draft, maxBatchBodyBytes);
    const order = { ...settings, organizationId, createdById };
    const { id } = await batches.accept(order, draft);
    return Readable.from(await batches.answer(organizationId, id));
  } finally {
    await draft.close();
  }
}
