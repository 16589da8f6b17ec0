import { Readable } from "node:stream";
import { makeZip } from "client-zip";
import { z } from "zod";
import {
  type ArchiveEntry,
  type Batches,
  batchListItemSchema,
  batchSchema,
  type MergeRequest,
} from "../../batches/index.js";
import { renderOptionsSchema, UNKNOWN_FIELDS } from "../../definition/index.js";
import { createDefinition, type Operation } from "../operation.js";
import {
  pageSchema,
  dataSchema,
  localeField,
  pageOf,
  pageQuery,
} from "../schemas.js";
import {
  deliverField,
  formatsSchema,
  idInput,
  timestampSchema,
} from "../../lib/schemas.js";

const expiresAt = z.string().optional().meta({
  description:
    "When files and links expire: a timestamp or a date. Default: 24 hours from now.",
  example: "2030-01-31",
});

export const batchItemSchema = z
  .strictObject(
    {
      data: dataSchema.optional(),
      metadata: z.record(z.string(), z.unknown()).optional().meta({
        description:
          "Your own keys, stored with the document. `batchId`, `batchIndex`, `totalCount` and `platen` are reserved.",
      }),
      expiresAt,
      formats: formatsSchema.optional(),
      locale: localeField,
    },
    "must be an object",
  )
  .meta({ id: "BatchItem" });

export const strictField = z.boolean().optional().meta({
  default: false,
  description:
    "True: a document whose render report would list anything fails at once, without a retry, and its `error` lists the problems. The other documents of the batch are not affected.",
});

export const unknownFieldsField = z.enum(UNKNOWN_FIELDS).optional().meta({
  default: "allow",
  description:
    "What happens to fields of the data that the template's schema does not declare: `allow` ignores them, `warn` lists them in the report, `error` makes them problems.",
});

const mergeFields = {
  formats: z
    .tuple([z.literal("pdf")])
    .optional()
    .meta({ default: ["pdf"], description: "Only `pdf`." }),
  order: z
    .string()
    .regex(
      /^[^\s.]+(\.[^\s.]+)*$/,
      "must be request, or the path of a field such as root.customer.name",
    )
    .max(200)
    .optional()
    .meta({
      default: "request",
      description:
        "`request`: the order of the batch. Or the path of the field of the record to sort by; numbers are sorted by size, everything else as text, and records without the field come last.",
      example: "root.customer.name",
    }),
  descending: z.boolean().optional().meta({
    default: false,
    description: "True: the reverse order.",
  }),
  cover: idInput.optional().meta({
    description:
      "Id of a document template that is rendered once and comes first. Its data: `batchId`, `title`, `createdAt`, `count`, `pageCount` and `documents`, each with `name`, `page` and `pages`.",
  }),
  separators: z.literal("blank").optional().meta({
    description:
      "`blank`: adds an empty page where one is needed so that each document begins on an odd page, for duplex printing. Default: none.",
  }),
  bookmarks: z.boolean().optional().meta({
    default: true,
    description:
      "A bookmark for each document, with the document's own bookmarks below it. False: none at all.",
  }),
  pageNumbers: z.boolean().optional().meta({
    default: true,
    description:
      "Prints the page's number in the whole file, such as `17 / 2000`, in the lower right corner, in addition to the document's own. False for letters that are mailed.",
  }),
};

const mergeSchema = z
  .strictObject(mergeFields)
  .meta({ id: "MergeOptions", example: { order: "root.customer.name" } });

export const mergeField = mergeSchema.optional().meta({
  description:
    "Joins all PDFs of the batch in one file when the batch is completed: `GET /api/batches/:batchId/merged`. Requires the format `pdf`.",
});

/** Without the formats, which have only one value. */
export function toMergeRequest({
  formats: _formats,
  ...options
}: z.output<typeof mergeSchema>): MergeRequest {
  return options;
}

const items = z.array(batchItemSchema).min(1);

/** What is said of the batch as a whole, and of what it does not take. */
const settingFields = {
  templateId: idInput,
  templateVersion: z.int().min(1, "must be at least 1").optional().meta({
    description:
      "A version number. Default: the newest version, which may be older than the live definition that a single render uses. It applies to the whole batch.",
  }),
  formats: formatsSchema,
  imageType: z.enum(["png", "jpg"]).optional().meta({ default: "png" }),
  locale: localeField,
  renderOptions: renderOptionsSchema
    .refine(({ pdf }) => pdf?.password === undefined, {
      path: ["pdf", "password"],
      error:
        "is not supported in batches, because a batch's settings are stored. Render such documents one by one",
    })
    .optional(),
  strict: strictField,
  unknownFields: unknownFieldsField,
  validate: z.boolean().optional().meta({
    default: false,
    description:
      "True: checks the data of all items against the schema of the version that the batch uses before anything is accepted. If there are problems, the response is a 400 that lists at most 1,000 of them, such as `$.items[3].data.lines[0].price`, and nothing is stored.",
  }),
  merge: mergeField,
  expiresAt,
  isTest: rejectTrue("must not be true: a batch cannot be a test"),
  sendForSignature: z.boolean().optional().meta({
    default: false,
    description:
      "Sends each document for signature to the signers that the template's root connection and the record name. A document that cannot be sent, for example because a signer's email is missing, fails immediately.",
  }),
  esignConnection: idInput.optional().meta({
    description:
      "Id of the saved e-signature connection. Default: the template's.",
  }),
  deliver: deliverField.optional().meta({
    description:
      "Where each document is delivered. Default: where the template says. `[]`: nowhere.",
  }),
};

/** The same body with its items set apart, which are checked one by one as they arrive. */
export const batchSettingsSchema = z.strictObject(settingFields);

export const batchBodySchema = z
  .strictObject({
    ...settingFields,
    items: items.optional(),
    documents: items.optional().meta({ description: "Alias of `items`." }),
  })
  .meta({
    id: "BatchRequest",
    example: {
      templateId: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
      formats: ["pdf"],
      items: [
        { data: { number: "2026-117" }, metadata: { customer: "4711" } },
        { data: { number: "2026-118" }, formats: ["pdf", "html"] },
      ],
    },
  });

const queuedDocumentSchema = z
  .strictObject({
    id: z.string(),
    organizationId: z.string(),
    templateId: z.string(),
    createdById: z.string(),
    status: z.literal("queued"),
    outputs: z.array(z.never()),
    metadata: z.record(z.string(), z.unknown()),
    expiresAt: timestampSchema,
    createdAt: timestampSchema,
  })
  .meta({ id: "QueuedDocument" });

export const acceptedBatchSchema = z
  .strictObject({
    batchId: z.string().meta({ description: "Starts with `batch_`." }),
    totalCount: z.number().int(),
    status: z.literal("queued"),
    documents: z.array(queuedDocumentSchema),
  })
  .meta({ id: "AcceptedBatch" });

/** What a single render may ask for, and a batch may not. */
export function rejectTrue(why: string) {
  return z
    .boolean()
    .optional()
    .refine((value) => !value, why);
}

const batchParams = z.strictObject({
  batchId: idInput.meta({ description: "Starts with `batch_`." }),
});

const defineOperation = createDefinition("Batches");

export function batchOperations(batches: Batches): Operation[] {
  return [
    defineOperation({
      id: "listBatches",
      get: "/api/batches",
      scope: "documents:read",
      summary: "List batches",
      description: "Newest first.",
      query: z.strictObject(pageQuery),
      reply: {
        description: "A page of batches.",
        schema: pageSchema(batchListItemSchema),
      },
      handle: ({ caller, query }) =>
        batches.list(caller.organizationId, pageOf(query)),
    }),
    defineOperation({
      id: "getBatch",
      get: "/api/batches/:batchId",
      scope: "documents:read",
      summary: "Read a batch",
      description:
        "Its progress and a page of its documents, in the order in which they were sent.",
      params: batchParams,
      query: z.strictObject(pageQuery),
      reply: { description: "The batch.", schema: batchSchema },
      handle: ({ caller, params, query }) =>
        batches.get(caller.organizationId, params.batchId, pageOf(query)),
    }),
    defineOperation({
      id: "cancelBatch",
      post: "/api/batches/:batchId/cancel",
      scope: "documents:write",
      summary: "Cancel a batch",
      description:
        "Documents that are still queued end as `failed` with the error `cancelled`; those being rendered are finished. " +
        "Canceling twice is not an error.",
      params: batchParams,
      reply: {
        description: "The batch, with its first documents.",
        schema: batchSchema,
      },
      errors: [409],
      handle: async ({ caller: { organizationId }, params: { batchId } }) => {
        await batches.cancel(organizationId, batchId);
        return batches.get(organizationId, batchId, pageOf({}));
      },
    }),
    defineOperation({
      id: "retryBatch",
      post: "/api/batches/:batchId/retry",
      scope: "documents:write",
      summary: "Retry the failed and expired documents of a batch",
      description:
        "Creates a new batch, with `retryOf`, from the same records and template version. Each new document names the one " +
        "it retries in `metadata.platen.retryOf`. Works for a completed batch, once, until its files expire, and for 24 " +
        "hours if documents expired before they were ready.",
      params: batchParams,
      reply: {
        status: 202,
        description: "The new batch, with every document queued.",
        schema: acceptedBatchSchema,
      },
      idempotent: {
        replay: async (id, { caller: { organizationId } }) =>
          Readable.from(await batches.answer(organizationId, id)),
      },
      handle: async ({ caller, params, keepAnswer }) => {
        const { organizationId } = caller;
        const { id } = await batches.retry(caller, params.batchId, (tx, next) =>
          keepAnswer(tx, next.id),
        );
        return Readable.from(await batches.answer(organizationId, id));
      },
    }),
    defineOperation({
      id: "mergeBatch",
      post: "/api/batches/:batchId/merged",
      scope: "documents:write",
      summary: "Merge the PDFs of a batch",
      description:
        "Requests the merged file of a batch that was sent without `merge`, or replaces it by one with other options. It is made when the batch is completed; `merged` of the batch says how far it is. A 409 while one is being made.",
      params: batchParams,
      body: mergeSchema,
      reply: {
        status: 202,
        description: "The batch, with its first documents.",
        schema: batchSchema,
      },
      errors: [409],
      handle: async ({ caller: { organizationId }, params, body }) => {
        const { batchId } = params;
        await batches.merge(organizationId, batchId, toMergeRequest(body));
        return batches.get(organizationId, batchId, pageOf({}));
      },
    }),
    defineOperation({
      id: "downloadMergedBatch",
      get: "/api/batches/:batchId/merged",
      scope: "documents:read",
      summary: "Download all documents of a batch as one PDF",
      description:
        "One PDF with a bookmark for each document, made once the batch is completed. Tags, bookmarks, links, fields and attachments of the documents are kept. Documents that failed are left out. A 409 with `Retry-After` until it is ready, a 404 when none was requested, a 410 when the first of its documents has expired.",
      params: batchParams,
      reply: {
        description: "The file.",
        mimeType: "application/pdf",
        schema: z.string().meta({ format: "binary" }),
      },
      errors: [409, 410],
      handle: async ({ caller, params: { batchId }, ctx }) => {
        const file = await batches.merged(caller.organizationId, batchId);
        ctx.attachment(`${batchId}.pdf`);
        ctx.length = file.sizeBytes;
        return file.stream;
      },
    }),
    defineOperation({
      id: "downloadBatch",
      get: "/api/batches/:batchId/archive",
      scope: "documents:read",
      summary: "Download all files of a batch",
      description:
        "A ZIP of all finished files that have not expired, streamed as it is created. Files are named after their documents; " +
        "duplicate names are numbered.",
      params: batchParams,
      reply: {
        description: "The archive.",
        mimeType: "application/zip",
        schema: z.string().meta({ format: "binary" }),
      },
      errors: [409, 410],
      handle: async ({ caller, params: { batchId }, ctx }) => {
        const entries = await batches.archive(caller.organizationId, batchId);
        ctx.attachment(`${batchId}.zip`);
        return createZip(entries);
      },
    }),
    defineOperation({
      id: "downloadBatchTable",
      get: "/api/batches/:batchId/table",
      scope: "documents:read",
      summary: "Download the rows of a batch with links",
      description:
        "For a batch that was made from a file: a workbook (XLSX) with the rows of the file, in their order, and columns for the " +
        "state of each document, the links to its files, and its error. The links are those of the documents' `outputs`, and " +
        "expire with them.",
      params: batchParams,
      reply: {
        description: "The workbook.",
        mimeType:
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        schema: z.string().meta({ format: "binary" }),
      },
      errors: [409, 410],
      handle: async ({ caller, params: { batchId }, ctx }) => {
        const table = await batches.table(caller.organizationId, batchId);
        ctx.attachment(`${batchId}.xlsx`);
        return table;
      },
    }),
  ];
}

/** The next file is opened when the one before is sent. */
function createZip(entries: AsyncIterable<ArchiveEntry>): Readable {
  const files = async function* () {
    for await (const { name, modifiedAt, content } of entries)
      yield { name, lastModified: modifiedAt, input: content };
  };
  return Readable.fromWeb(makeZip(files()));
}
