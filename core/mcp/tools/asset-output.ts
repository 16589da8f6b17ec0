import { z } from "zod";

/** An asset in an answer; further fields are those of the REST interface. */
export const assetOutput = z.looseObject({
  id: z.string(),
  name: z.string(),
  assetType: z.string(),
  mimeType: z.string(),
  sizeBytes: z.number(),
  url: z.string(),
  isTrashed: z.boolean(),
});
