import { z } from "zod";
import { person, timestamp } from "./common.js";

export const output = z
  .strictObject({
    label: z.string().meta({
      description:
        "The format; pages after the first of an image are `image-2`, `image-3` …",
      example: "pdf",
    }),
    storageKey: z.string(),
    url: z.string().meta({
      description: "Download link; needs no key, works until `expiresAt`.",
    }),
    mimeType: z.string().meta({ example: "application/pdf" }),
    sizeBytes: z.number().int(),
    checksum: z
      .string()
      .meta({ description: "`sha256:` and 64 hexadecimal digits." }),
  })
  .meta({ id: "Output" });

const fields = {
  id: z.string().meta({ example: "doc_0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f" }),
  organizationId: z.string(),
  templateId: z.string(),
  createdById: z.string(),
  status: z.enum(["queued", "rendering", "succeeded", "failed", "expired"]),
  outputs: z.array(output),
  metadata: z.record(z.string(), z.unknown()).nullable().meta({
    description: "Ours is below `platen`: the render report, for example.",
  }),
  error: z.string().optional().meta({
    description: "Why it failed or expired; on such documents alone.",
  }),
  expiresAt: timestamp,
  createdAt: timestamp,
  updatedAt: timestamp,
};

/** Of a document that goes to signing, as whoever made it is told. */
export const documentSignature = z
  .strictObject({
    id: z.string(),
    provider: z.string().meta({ example: "docuseal" }),
    status: z.string().meta({
      description:
        "`starting`, `pending`, `completed`, `declined`, `expired`, `canceled` or `failed`.",
    }),
    submitters: z.array(
      z.strictObject({
        role: z.string(),
        email: z.string(),
        status: z.string(),
        url: z.string().nullable().meta({
          description: "Where they sign, when the provider tells.",
        }),
      }),
    ),
    error: z.string().exactOptional().meta({
      description: "Why it failed, or what is in its way at the moment.",
    }),
    warnings: z.array(z.string()).exactOptional().meta({
      description: "What the provider could not take over.",
    }),
  })
  .meta({ id: "DocumentSignature" });

export const document = z
  .strictObject({ ...fields, signature: documentSignature.exactOptional() })
  .meta({ id: "Document" });

export const documentListItem = z
  .strictObject({
    ...fields,
    createdBy: person,
    template: z.strictObject({ id: z.string(), name: z.string() }),
  })
  .meta({ id: "DocumentListItem" });
