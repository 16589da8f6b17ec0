import { z } from "zod";

export const timestamp = z.iso
  .datetime()
  .meta({ description: "ISO 8601, UTC.", example: "2026-07-31T09:30:00.000Z" });

export const person = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    image: z.string().nullable().meta({ description: "URL of a portrait." }),
  })
  .meta({ id: "Person" });

export const pagination = z
  .strictObject({
    page: z.number().int(),
    pageSize: z.number().int(),
    total: z
      .number()
      .int()
      .meta({ description: "How many there are on all pages." }),
  })
  .meta({ id: "Pagination" });

export const definition = z.record(z.string(), z.unknown()).meta({
  id: "Definition",
  description: "The template itself (ProjectData).",
  override: {
    required: ["schema", "components"],
    properties: {
      schema: { type: "array", items: { type: "object" } },
      components: { type: "array", items: { type: "object" } },
    },
  },
});

export const errorBody = z
  .strictObject({
    error: z.string().meta({
      description: "What is wrong, where, and how to mend it.",
      example: "$.formats: is required.",
    }),
  })
  .meta({ id: "Error" });
