import { z } from "zod";

/** A document in an answer; further fields are those of the REST interface. */
export const documentOutput = z.looseObject({
  id: z.string(),
  templateId: z.string(),
  status: z.enum(["queued", "rendering", "succeeded", "failed", "expired"]),
  outputs: z.array(
    z.looseObject({
      label: z.string(),
      url: z.string(),
      mimeType: z.string(),
      sizeBytes: z.number(),
    }),
  ),
  expiresAt: z.string(),
});
