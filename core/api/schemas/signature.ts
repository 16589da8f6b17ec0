import { z } from "zod";
import { SIGNER_STATUSES } from "../../plugin-api/index.js";
import { timestamp } from "./common.js";
import { output } from "./document.js";

export const signatureStatus = z.enum([
  "starting",
  "pending",
  "completed",
  "declined",
  "expired",
  "canceled",
  "failed",
]);

const submitter = z.strictObject({
  role: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  order: z.number().int().meta({
    description: "From 0; equal ones sign side by side.",
  }),
  status: z.enum(SIGNER_STATUSES),
  url: z.string().nullable().meta({
    description: "Where they sign, when the provider tells.",
  }),
  reason: z.string().nullable().meta({ description: "Why they declined." }),
});

export const signature = z
  .strictObject({
    id: z.string(),
    organizationId: z.string(),
    documentId: z.string(),
    batchId: z.string().nullable(),
    connectionId: z.string(),
    provider: z.string().meta({ example: "docuseal" }),
    externalId: z
      .string()
      .nullable()
      .meta({ description: "As the provider knows it." }),
    status: signatureStatus,
    title: z.string(),
    message: z
      .strictObject({
        subject: z.string().exactOptional(),
        body: z.string().exactOptional(),
      })
      .nullable(),
    submitters: z.array(submitter),
    outputs: z.array(output).meta({
      description:
        "Once it is completed: `signed` and, where the provider makes one, `audit`. Kept longer than the document's other files.",
    }),
    warnings: z
      .array(z.string())
      .meta({ description: "What the provider could not take over." }),
    error: z.string().nullable().meta({
      description: "Why it failed, or what is in its way at the moment.",
    }),
    expiresAt: timestamp.nullable(),
    createdById: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
    startedAt: timestamp
      .nullable()
      .meta({ description: "When the provider had it." }),
    completedAt: timestamp.nullable().meta({ description: "When it ended." }),
  })
  .meta({ id: "Signature" });
