import { Readable } from "node:stream";
import { z } from "zod";
import type { IdempotencyKeys } from "../../accounts/limits/index.js";
import type { Alongside, Batches } from "../../batches/index.js";
import type { RecordBatches } from "../../integrations/platforms/index.js";
import { answerOnce } from "../answer-once.js";
import {
  operation,
  type Operation,
  type OperationRequest,
} from "../operation.js";
import { acceptedBatch, batchDetail } from "../schemas/batch.js";
import { platformBody, platformParams } from "../schemas/export-platform.js";
import { pageOf } from "../schemas/query.js";

export interface PlatformServices {
  batches: Batches;
  idempotencyKeys: IdempotencyKeys;
  recordBatches: RecordBatches;
}

type PlatformRequest = OperationRequest<
  z.output<typeof platformParams>,
  unknown,
  z.output<typeof platformBody>
>;

/** Documents of a platform's records, and their way back into the records. */
export function platformBatchOperations(
  services: PlatformServices,
): Operation[] {
  return [exportPlatform(services), writeBack(services)];
}

function exportPlatform(services: PlatformServices): Operation {
  return operation({
    id: "exportPlatformBatch",
    method: "post",
    path: "/api/export/batch/:platform",
    scope: "documents:write",
    takesLinks: true,
    tag: "Batches",
    summary: "Render records of a platform in the background",
    description:
      "For the plans premium and enterprise. The connection, the table, every field that the template's schema maps, the " +
      "attachment field and the records are looked at first: what is missing is named, and nothing is queued. Then each " +
      "record is one document, with what it links to. Its files are written into the record once it has succeeded; " +
      "`writeBack` of the batch counts how that goes, and a failure there leaves document and files as they are. " +
      "A link's token stands in for a key: `Authorization: Link <token>`, or `token` in the body; then only `recordIds` " +
      "is needed. With an `Idempotency-Key` the request can be sent again for 24 hours: one batch, and the same answer.",
    params: platformParams,
    body: platformBody,
    reply: {
      status: 202,
      description: "The batch, with every document queued.",
      schema: acceptedBatch,
    },
    errors: [404, 409, 413, 429, 503],
    handle: async (request) => {
      const { organizationId } = request.caller;
      const id = await acceptOnce(services, request);
      return Readable.from(await services.batches.answer(organizationId, id));
    },
  });
}

/** @returns the batch's id; of a request that was sent before, the one that was made then. */
async function acceptOnce(
  { recordBatches, idempotencyKeys }: PlatformServices,
  { caller, params, body, ctx }: PlatformRequest,
): Promise<string> {
  const { organizationId, plan, userId: createdById } = caller;
  const asked = { ...body, ...params };
  const work = async (alongside?: Alongside) => {
    const request = { ...asked, organizationId, plan, createdById };
    return (await recordBatches.generate(request, alongside)).id;
  };
  const key = ctx.get("idempotency-key");
  if (key === "") return work();
  const fingerprint = idempotencyKeys.fingerprint(
    "exportPlatformBatch",
    JSON.stringify(asked),
  );
  return answerOnce(idempotencyKeys, {
    organizationId,
    key,
    fingerprint: async () => fingerprint,
    work: (claim) => work((tx, { id }) => claim.keep(tx, fingerprint, id)),
    again: async (id) => {
      ctx.set("idempotency-replayed", "true");
      return id;
    },
  });
}

function writeBack({ batches, recordBatches }: PlatformServices): Operation {
  return operation({
    id: "writeBackBatch",
    method: "post",
    path: "/api/batches/:batchId/write-back",
    scope: "documents:write",
    tag: "Batches",
    summary: "Write files into records again",
    description:
      "Tries the write-backs that have failed again, for as long as their files are kept. What arrived is not written " +
      "a second time.",
    params: z.strictObject({
      batchId: z.string().meta({ description: "Begins with `batch_`." }),
    }),
    reply: {
      status: 202,
      description: "The batch, with its first documents.",
      schema: batchDetail,
    },
    errors: [404, 409, 410],
    handle: async ({ caller: { organizationId }, params: { batchId } }) => {
      await recordBatches.writeBackAgain(organizationId, batchId);
      return batches.get(organizationId, batchId, pageOf({}));
    },
  });
}
