import { Readable } from "node:stream";
import { z } from "zod";
import type {
  Caller,
  IdempotencyClaim,
  IdempotencyKeys,
} from "../../accounts/index.js";
import type {
  AcceptCallback,
  BatchDraft,
  Batches,
} from "../../batches/index.js";
import type { RecordBatches } from "../../integrations/platforms/index.js";
import { runIdempotent } from "../../accounts/index.js";
import type { HttpContext } from "../middleware.js";
import {
  defineOperation,
  type Operation,
  type OperationRequest,
} from "../operation.js";
import { hashBatch, readBatch } from "../batch-body.js";
import { formatsSchema, pageOf } from "../schemas.js";
import {
  acceptedBatchSchema,
  batchBodySchema,
  batchSchema,
} from "./batches.js";

const platformParamsSchema = z.strictObject({
  platform: z.string().meta({
    description:
      "The id of an installed platform, as GET /api/platforms lists it.",
    example: "airtable",
  }),
});

const platformBodySchema = z
  .strictObject({
    templateId: z.string(),
    templateVersion: z.int().min(1, "must be at least 1").optional().meta({
      description: "A version number. Default: the newest.",
    }),
    recordIds: z
      .array(z.string())
      .min(1)
      .meta({
        description: "Without duplicates. Each record becomes one document.",
        example: ["recA1b2C3d4E5f6G7"],
      }),
    baseId: z
      .string()
      .optional()
      .meta({ description: "Default: the template's." }),
    tableId: z.string().optional().meta({
      description:
        "The table of the records, by id or name. Default: the template's.",
    }),
    connectionId: z.string().optional().meta({
      description:
        "Default: the template's, or else the only connection to this platform.",
    }),
    formats: formatsSchema.optional().meta({ default: ["pdf"] }),
    sendForSignature: z.boolean().optional().meta({
      default: false,
      description:
        "Sends each document for signature to the signers that the template's root connection and the record name.",
    }),
    esignConnection: z.string().optional().meta({
      description:
        "Id of the saved e-signature connection. Default: the template's.",
    }),
    attachmentField: z.string().optional().meta({
      description:
        "The record's field for the files, by id or name. Without it, nothing is written back.",
      example: "Invoice PDF",
    }),
    overwriteExisting: z.boolean().optional().meta({
      default: false,
      description: "`true`: replaces the field's files. `false`: adds to them.",
    }),
  })
  .meta({ id: "PlatformBatchRequest" });

export interface BatchServices {
  batches: Batches;
  idempotencyKeys: IdempotencyKeys;
  maxBatchBodyBytes: number;
  /** Of a single request, and so of an item. */
  maxBodyBytes: number;
}

/** Accept many records, each to be rendered in the background. */
export function exportBatchOperation(services: BatchServices): Operation {
  return defineOperation({
    id: "exportBatch",
    method: "post",
    path: "/api/export/batch",
    scope: "documents:write",
    tag: "Batches",
    summary: "Render many documents in the background",
    description:
      "Requires the premium or enterprise plan. Each item becomes one document. The whole batch is validated before anything is stored; " +
      "then every document is `queued` and rendered as soon as a worker is free. Webhooks report each document and " +
      "the batch. The body may be large and is streamed. " +
      "With an `Idempotency-Key` you can safely retry the request for 24 hours: it creates one batch and returns the same response.",
    body: batchBodySchema,
    readsBody: true,
    idempotent: true,
    reply: {
      status: 202,
      description: "The batch, with every document queued.",
      schema: acceptedBatchSchema,
    },
    errors: [404, 409, 413],
    handle: ({ caller, ctx }) => acceptBatch(services, caller, ctx),
  });
}

async function acceptBatch(
  services: BatchServices,
  caller: Caller,
  ctx: HttpContext,
): Promise<Readable> {
  const { batches } = services;
  const draft = await batches.draft(caller);
  try {
    const id = await acceptBatchOnce(services, caller, ctx, draft);
    return Readable.from(await batches.answer(caller.organizationId, id));
  } finally {
    await draft.close();
  }
}

/** @returns the batch's id; of a request that was sent before, the one that was made then. */
async function acceptBatchOnce(
  { batches, idempotencyKeys, maxBatchBodyBytes, maxBodyBytes }: BatchServices,
  { organizationId, userId: createdById }: Caller,
  ctx: HttpContext,
  draft: BatchDraft,
): Promise<string> {
  const key = ctx.get("idempotency-key");
  const fingerprintOf = (hash: string) =>
    idempotencyKeys.fingerprint("exportBatch", hash);
  const work = async (claim?: IdempotencyClaim) => {
    const read = await readBatch(ctx.req, draft, {
      bodyBytes: maxBatchBodyBytes,
      itemBytes: maxBodyBytes,
    });
    const order = { ...read.settings, organizationId, createdById };
    const keep: AcceptCallback = async (tx, { id }) =>
      claim?.keep(tx, fingerprintOf(read.hash), id);
    return (await batches.accept(order, draft, keep)).id;
  };
  if (key === "") return work();
  return runIdempotent(idempotencyKeys, {
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

export interface PlatformServices {
  batches: Batches;
  idempotencyKeys: IdempotencyKeys;
  recordBatches: RecordBatches;
}

type PlatformRequest = OperationRequest<
  z.output<typeof platformParamsSchema>,
  unknown,
  z.output<typeof platformBodySchema>
>;

/** Documents of a platform's records, and their way back into the records. */
export function platformBatchOperations(
  services: PlatformServices,
): Operation[] {
  return [
    defineOperation({
      id: "exportPlatformBatch",
      method: "post",
      path: "/api/export/batch/:platform",
      scope: "documents:write",
      takesLinks: true,
      tag: "Batches",
      summary: "Render records of a platform in the background",
      description:
        "Requires the premium or enterprise plan. The connection, table, mapped fields, " +
        "attachment field and records are checked first; if anything is missing, the error names it and nothing is queued. Each " +
        "record becomes one document, including its linked records. Its files are written to the record once it has succeeded; " +
        "the batch's `writeBack` counts the results. A failed write-back does not affect the document or its files. " +
        "A link's token can be used instead of a key: `Authorization: Link <token>`, or `token` in the body; then only `recordIds` " +
        "is required. With an `Idempotency-Key` you can safely retry the request for 24 hours: it creates one batch and returns the same response.",
      params: platformParamsSchema,
      body: platformBodySchema,
      idempotent: true,
      reply: {
        status: 202,
        description: "The batch, with every document queued.",
        schema: acceptedBatchSchema,
      },
      errors: [404, 409, 413, 429, 503],
      handle: async (request) => {
        const { organizationId } = request.caller;
        const id = await acceptRecordsOnce(services, request);
        return Readable.from(await services.batches.answer(organizationId, id));
      },
    }),
    retryWriteBack(services),
  ];
}

/** @returns the batch's id; of a request that was sent before, the one that was made then. */
async function acceptRecordsOnce(
  { recordBatches, idempotencyKeys }: PlatformServices,
  { caller, params, body, ctx }: PlatformRequest,
): Promise<string> {
  const { organizationId, plan, userId: createdById } = caller;
  const asked = { ...body, ...params };
  const work = async (alongside?: AcceptCallback) => {
    const request = { ...asked, organizationId, plan, createdById };
    return (await recordBatches.generate(request, alongside)).id;
  };
  const key = ctx.get("idempotency-key");
  if (key === "") return work();
  const fingerprint = idempotencyKeys.fingerprint(
    "exportPlatformBatch",
    JSON.stringify(asked),
  );
  return runIdempotent(idempotencyKeys, {
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

function retryWriteBack({
  batches,
  recordBatches,
}: PlatformServices): Operation {
  return defineOperation({
    id: "writeBackBatch",
    method: "post",
    path: "/api/batches/:batchId/write-back",
    scope: "documents:write",
    tag: "Batches",
    summary: "Retry failed write-backs",
    description:
      "Retries failed write-backs while their files are kept. Files that were written are not written " +
      "again.",
    params: z.strictObject({
      batchId: z.string().meta({ description: "Starts with `batch_`." }),
    }),
    reply: {
      status: 202,
      description: "The batch, with its first documents.",
      schema: batchSchema,
    },
    errors: [404, 409, 410],
    handle: async ({ caller: { organizationId }, params: { batchId } }) => {
      await recordBatches.retryWriteBacks(organizationId, batchId);
      return batches.get(organizationId, batchId, pageOf({}));
    },
  });
}
