import { z } from "zod";
import { renderOptionsSchema } from "../../definition/index.js";
import { pagination, timestamp } from "./common.js";
import { document } from "./document.js";
import { data, formats } from "./record.js";

const expiresAt = z.string().optional().meta({
  description:
    "As in a single render: a timestamp, or a date. 24 hours from now by default.",
  example: "2030-01-31",
});

export const batchItem = z
  .strictObject(
    {
      data: data.optional(),
      metadata: z.record(z.string(), z.unknown()).optional().meta({
        description:
          "Your own keys, kept with the document. `batchId`, `batchIndex`, `totalCount` and `platen` are ours.",
      }),
      expiresAt,
      formats: formats.optional(),
    },
    "must be an object",
  )
  .meta({ id: "BatchItem" });

const items = z.array(batchItem).min(1);

/** What is said of the batch as a whole, and of what it does not take. */
const settings = {
  templateId: z.string(),
  templateVersion: z.int().min(1, "must be at least 1").optional().meta({
    description:
      "A snapshot's number; without it, the newest. The whole batch keeps to it.",
  }),
  formats: formats,
  imageType: z.enum(["png", "jpg"]).optional().meta({ default: "png" }),
  renderOptions: renderOptionsSchema
    .refine(({ pdf }) => pdf?.password === undefined, {
      path: ["pdf", "password"],
      error:
        "is not for batches: a batch is kept with all that was asked for. Render such documents one by one",
    })
    .optional(),
  expiresAt,
  isTest: refused("must not be true: a batch cannot be a test"),
  sendForSignature: z.boolean().optional().meta({
    default: false,
    description:
      "Has each document signed by those whom the template's root connection and the record name. A document that cannot be sent, for want of a signer's address for example, fails at once.",
  }),
  esignConnection: z.string().optional().meta({
    description:
      "Id of the saved e-signature connection. Default: the template's.",
  }),
};

/** The same body with its items set apart, which are checked one by one as they arrive. */
export const batchSettings = z.strictObject(settings);

export const batchBody = z
  .strictObject({
    ...settings,
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

const queuedDocument = z
  .strictObject({
    id: z.string(),
    organizationId: z.string(),
    templateId: z.string(),
    createdById: z.string(),
    status: z.literal("queued"),
    outputs: z.array(z.never()),
    metadata: z.record(z.string(), z.unknown()),
    expiresAt: timestamp,
    createdAt: timestamp,
  })
  .meta({ id: "QueuedDocument" });

export const acceptedBatch = z
  .strictObject({
    batchId: z.string().meta({ description: "Begins with `batch_`." }),
    totalCount: z.number().int(),
    status: z.literal("queued"),
    documents: z.array(queuedDocument),
  })
  .meta({ id: "AcceptedBatch" });

const count = z.number().int();

const summary = {
  batchId: z.string(),
  organizationId: z.string(),
  templateId: z.string(),
  templateVersion: count,
  status: z.enum(["queued", "running", "completed"]),
  totalCount: count,
  progress: z.number().meta({
    description: "The share of documents that are terminal, 0 to 1.",
    example: 0.42,
  }),
  formats: z.array(z.enum(["pdf", "html", "image", "mjml"])),
  imageType: z.enum(["png", "jpg"]),
  platform: z.string().nullable().meta({
    description:
      "The platform whose records these are; null when they came with the request.",
  }),
  retryOf: z.string().nullable().meta({
    description: "The batch whose failed documents these are.",
  }),
  createdById: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  cancelledAt: timestamp.nullable(),
  completedAt: timestamp.nullable(),
};

export const batchListItem = z
  .strictObject(summary)
  .meta({ id: "BatchListItem" });

export const batchDetail = z
  .strictObject({
    ...summary,
    counts: z
      .strictObject({
        queued: count,
        rendering: count,
        succeeded: count,
        failed: count,
        expired: count,
      })
      .meta({ description: "How many documents are in each state." }),
    writeBack: z
      .strictObject({ pending: count, succeeded: count, failed: count })
      .nullable()
      .meta({
        description:
          "How many documents' files are on their way into the records' attachment field, are there, or failed to get " +
          "there; a document counts once it has succeeded. Null when nothing is written back.",
      }),
    documents: z.array(document).meta({
      description: "A page of them, in the order in which they were sent.",
    }),
    pagination,
  })
  .meta({ id: "Batch" });

/** What a single render may ask for, and a batch may not. */
function refused(why: string) {
  return z
    .boolean()
    .optional()
    .refine((value) => !value, why);
}
