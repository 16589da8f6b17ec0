import { z } from "zod";

/** A template in an answer; further fields are those of the REST interface. */
export const templateOutput = z.looseObject({
  id: z.string(),
  name: z.string(),
  templateType: z.enum(["document", "email"]),
  isActive: z.boolean(),
  updatedAt: z.string(),
});

export const paginationOutput = z.looseObject({
  page: z.number(),
  pageSize: z.number(),
  total: z.number(),
});
