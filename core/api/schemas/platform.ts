import { z } from "zod";

const capabilities = z.strictObject({
  links: z.boolean(),
  attachments: z.enum(["native", "link-cell", "none"]).meta({
    description:
      "Whether a field takes files, links to files, or neither of them.",
  }),
  modes: z.array(z.enum(["append", "replace"])),
  maxFileBytes: z.number(),
  maxIdsPerFetch: z.number(),
  keepsFilename: z.boolean(),
  readBack: z.boolean(),
  needsPublicUrl: z.boolean().optional(),
});

/** What is told of every installed plugin that connections lead to. */
export function installed(example: string) {
  return z.strictObject({
    id: z.string().meta({ example }),
    title: z.string(),
    version: z.string().nullable(),
    isShipped: z.boolean().meta({
      description: "False: it was installed beside those that ship.",
    }),
    state: z.enum(["ready", "broken"]),
    reason: z.string().nullable().meta({
      description: "Why it is broken, and how to mend it.",
    }),
    credentials: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        "What the credentials of a connection must be: a JSON Schema (2020-12) whose secrets are `writeOnly`.",
    }),
  });
}

export const platform = installed("airtable")
  .extend({
    id: z.string().meta({
      description: "Also the last part of /api/export/batch/:platform.",
      example: "airtable",
    }),
    capabilities: capabilities
      .nullable()
      .meta({ description: "Null of a broken one." }),
  })
  .meta({ id: "Platform" });
