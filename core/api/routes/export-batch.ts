import { Readable } from "node:stream";
import { z } from "zod";
import type { Caller } from "../../accounts/index.js";
import { type Batches, batchSchema } from "../../batches/index.js";
import {
  type RecordBatches,
  recordsSchema,
} from "../../integrations/platforms/index.js";
import {
  createDefinition,
  type Operation,
  type OperationRequest,
} from "../operation.js";
import { hashBatch, readBatch } from "../batch-body.js";
import { localeField, pageOf } from "../schemas.js";
import {
  acceptedBatchSchema,
  batchBodySchema,
  mergeField,
  rejectTrue,
  strictField,
  toMergeRequest,
  unknownFieldsField,
} from "./batches.js";
import { deliverField, formatsSchema, idInput } from "../../lib/schemas.js";

const platformParamsSchema = z.strictObject({
  platform: z.string().meta({
    description:
      "The id of an installed platform, as GET /api/platforms lists it.",
    example: "airtable",
  }),
});

const platformBodySchema = z
  .strictObject({
    templateId: idInput,
    templateVersion: z.int().min(1, "must be at least 1").optional().meta({
      description:
        "A version number. Default: the newest version, which may be older than the live definition that a single render uses.",
    }),
    recordIds: z
      .array(z.string())
      .min(1)
      .optional()
      .meta({
        description:
          "Without duplicates. Each record becomes one document, unless `group` is sent. Required unless `records` is sent.",
        example: ["recA1b2C3d4E5f6G7"],
      }),
    records: recordsSchema.optional(),
    baseId: z
      .string()
      .optional()
      .meta({ description: "Default: the template's." }),
    tableId: z.string().optional().meta({
      description:
        "The table of the records, by id or name. Default: the template's.",
    }),
    connectionId: idInput.optional().meta({
      description:
        "Default: the template's, or else the only connection to this platform.",
    }),
    formats: formatsSchema.optional().meta({ default: ["pdf"] }),
    locale: localeField,
    strict: strictField,
    unknownFields: unknownFieldsField,
    validate: rejectTrue(
      "must not be true: records are read only after the batch was accepted, so they cannot be checked before. Use strict: a document whose record has a problem then fails",
    ).meta({
      description:
        "Not possible here, because records are read only after the batch was accepted: `true` is an error. Use `strict`.",
    }),
    sendForSignature: z.boolean().optional().meta({
      default: false,
      description:
        "Sends each document for signature to the signers that the template's root connection and the record name.",
    }),
    esignConnection: idInput.optional().meta({
      description:
        "Id of the saved e-signature connection. Default: the template's.",
    }),
    deliver: deliverField.optional().meta({
      description:
        "Where each document is delivered. Default: where the template says. `[]`: nowhere.",
    }),
    merge: mergeField,
    attachmentField: z.string().optional().meta({
      description:
        "The record's field for the files, by id or name. Without it, nothing is written back.",
      example: "Invoice PDF",
    }),
    overwriteExisting: z.boolean().optional().meta({
      default: false,
      description: "`true`: replaces the field's files. `false`: adds to them.",
    }),
    group: z
      .strictObject({
        by: z.string().meta({
          description: "The field with the key of a document, by id or name.",
          example: "Invoice No",
        }),
        as: z.string().meta({
          description: "The record's list field for the records of a document.",
          example: "lines",
        }),
      })
      .optional()
      .meta({
        description:
          "Records with the same key become one document, with all of them in `metadata.recordIds`. The record's other fields must agree in them; the fields of the list's collection are read from each. Excludes `attachmentField` and `records.emptyAttachment`.",
      }),
  })
  .superRefine(({ recordIds, records, group }, context) => {
    const add = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (recordIds === undefined && records === undefined)
      add("recordIds", "is required, or records instead");
    if (recordIds !== undefined && records !== undefined)
      add("records", "excludes recordIds: send one of them");
    if (group && records && "emptyAttachment" in records)
      add(
        "records",
        "must not have emptyAttachment with group: no record gets a file then. Use viewId or filter",
      );
  })
  .meta({ id: "PlatformBatchRequest" });

export interface BatchServices {
  batches: Batches;
  maxBatchBodyBytes: number;
  /** Of a single request, and so of an item. */
  maxBodyBytes: number;
}

const defineOperation = createDefinition("Batches");

/** Accept many records, each to be rendered in the background. */
export function exportBatchOperation(services: BatchServices): Operation {
  return defineOperation({
    id: "exportBatch",
    post: "/api/export/batch",
    scope: "documents:write",
    summary: "Render many documents in the background",
    description:
      "Requires the premium or enterprise plan. Each item becomes one document. The request is validated before anything is stored, and with `validate` the data too; " +
      "then every document is `queued` and rendered as soon as a worker is free. Webhooks report each document and " +
      "the batch. The body may be large and is streamed. " +
      "With an `Idempotency-Key` you can safely retry the request for 24 hours: it creates one batch and returns the same response.",
    body: batchBodySchema,
    readsBody: true,
    reply: {
      status: 202,
      description: "The batch, with every document queued.",
      schema: acceptedBatchSchema,
    },
    errors: [404],
    idempotent: {
      hashBody: ({ ctx }) => hashBatch(ctx.req, services.maxBatchBodyBytes),
      replay: (id, { caller }) => answerBatch(services.batches, caller, id),
    },
    handle: (request) => acceptBatch(services, request),
  });
}

async function acceptBatch(
  services: BatchServices,
  { caller, ctx, keepAnswer }: OperationRequest<unknown, unknown, unknown>,
): Promise<Readable> {
  const { batches, maxBatchBodyBytes, maxBodyBytes } = services;
  const { organizationId, userId: createdById } = caller;
  const draft = await batches.draft(caller);
  try {
    const { settings, hash } = await readBatch(ctx.req, draft, {
      bodyBytes: maxBatchBodyBytes,
      itemBytes: maxBodyBytes,
    });
    const { merge, ...rest } = settings;
    const order = {
      ...rest,
      merge: merge && toMergeRequest(merge),
      organizationId,
      createdById,
    };
    const batch = await batches.accept(order, draft, (tx, { id }) =>
      keepAnswer(tx, id, hash),
    );
    return await answerBatch(batches, caller, batch.id);
  } finally {
    await draft.close();
  }
}

export async function answerBatch(
  batches: Batches,
  { organizationId }: Caller,
  id: string,
): Promise<Readable> {
  return Readable.from(await batches.answer(organizationId, id));
}

/** Documents of a platform's records, and their way back into the records. */
export function platformBatchOperations(
  batches: Batches,
  recordBatches: RecordBatches,
): Operation[] {
  return [
    defineOperation({
      id: "exportPlatformBatch",
      post: "/api/export/batch/:platform",
      scope: "documents:write",
      takesLinks: true,
      summary: "Render records of a platform in the background",
      description:
        "Requires the premium or enterprise plan. The connection, table, mapped fields, " +
        "attachment field and records are checked first; if anything is missing, the error names it and nothing is queued. Each " +
        "record becomes one document, including its linked records. Its files are written to the record once it has succeeded; " +
        "the batch's `writeBack` counts the results. With `records` instead of `recordIds`, the records are listed before the " +
        "response, which takes longer for many of them; a selection without records is a 409, and nothing is created. A failed write-back does not affect the document or its files. " +
        "A link's token can be used instead of a key: `Authorization: Link <token>`, or `token` in the body; then only `recordIds` " +
        "is required, or nothing if the link has `records`. With an `Idempotency-Key` you can safely retry the request for 24 hours: it creates one batch and returns the same response.",
      params: platformParamsSchema,
      body: platformBodySchema,
      reply: {
        status: 202,
        description: "The batch, with every document queued.",
        schema: acceptedBatchSchema,
      },
      idempotent: {
        replay: (id, { caller }) => answerBatch(batches, caller, id),
      },
      handle: async ({ caller, params, body, keepAnswer }) => {
        const { organizationId, plan, userId: createdById } = caller;
        const { merge, ...options } = body;
        const batch = await recordBatches.generate(
          {
            ...options,
            ...params,
            merge: merge && toMergeRequest(merge),
            organizationId,
            plan,
            createdById,
          },
          (tx, { id }) => keepAnswer(tx, id),
        );
        return answerBatch(batches, caller, batch.id);
      },
    }),
    retryWriteBack(batches, recordBatches),
  ];
}

function retryWriteBack(
  batches: Batches,
  recordBatches: RecordBatches,
): Operation {
  return defineOperation({
    id: "writeBackBatch",
    post: "/api/batches/:batchId/write-back",
    scope: "documents:write",
    summary: "Retry failed write-backs",
    description:
      "Retries failed write-backs while their files are kept. Files that were written are not written " +
      "again.",
    params: z.strictObject({
      batchId: idInput.meta({ description: "Starts with `batch_`." }),
    }),
    reply: {
      status: 202,
      description: "The batch, with its first documents.",
      schema: batchSchema,
    },
    errors: [409, 410],
    handle: async ({ caller: { organizationId }, params: { batchId } }) => {
      await recordBatches.retryWriteBacks(organizationId, batchId);
      return batches.get(organizationId, batchId, pageOf({}));
    },
  });
}
