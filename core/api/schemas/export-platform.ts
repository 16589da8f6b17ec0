import { z } from "zod";
import { formats } from "./record.js";

export const platformParams = z.strictObject({
  platform: z.string().meta({
    description:
      "The id of an installed platform, as GET /api/platforms lists it.",
    example: "airtable",
  }),
});

export const platformBody = z
  .strictObject({
    templateId: z.string(),
    templateVersion: z.int().min(1, "must be at least 1").optional().meta({
      description: "A snapshot's number; without it, the newest.",
    }),
    recordIds: z
      .array(z.string())
      .min(1)
      .meta({
        description: "Each once. One record becomes one document.",
        example: ["recA1b2C3d4E5f6G7"],
      }),
    baseId: z
      .string()
      .optional()
      .meta({ description: "Default: the template's." }),
    tableId: z.string().optional().meta({
      description:
        "The table of the records, by id or name. Default: the template's.",
    }),
    connectionId: z.string().optional().meta({
      description:
        "Default: the template's, or else the only connection to this platform.",
    }),
    formats: formats.optional().meta({ default: ["pdf"] }),
    sendForSignature: z.boolean().optional().meta({
      default: false,
      description:
        "Has each document signed by those whom the template's root connection and the record name.",
    }),
    esignConnection: z.string().optional().meta({
      description:
        "Id of the saved e-signature connection. Default: the template's.",
    }),
    attachmentField: z.string().optional().meta({
      description:
        "The field of the record that takes the files, by id or name. Without it, they are written nowhere.",
      example: "Invoice PDF",
    }),
    overwriteExisting: z.boolean().optional().meta({
      default: false,
      description:
        "`true`: the field holds nothing but these files afterwards. `false`: they are added.",
    }),
  })
  .meta({ id: "PlatformBatchRequest" });
