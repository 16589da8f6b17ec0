import { z } from "zod";
import { timestamp } from "./common.js";
import { formats } from "./record.js";

const fields = {
  id: z.string(),
  organizationId: z.string(),
  name: z.string(),
  templateId: z.string(),
  platform: z.string(),
  connectionId: z.string(),
  baseId: z.string().nullable(),
  tableId: z.string(),
  tableName: z.string(),
  attachmentField: z.string().nullable().meta({
    description: "The field into which files go; null when they go nowhere.",
  }),
  formats: z.array(z.enum(["pdf", "html", "image", "mjml"])),
  overwriteExisting: z.boolean(),
  state: z.enum(["active", "expired", "revoked"]),
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
  createdById: z.string(),
  createdAt: timestamp,
};

export const link = z.strictObject(fields).meta({ id: "Link" });

const formula = z.strictObject({
  where: z.string().meta({ description: "Into which kind of field." }),
  formula: z.string(),
});

export const linkWithUrl = z
  .strictObject({
    ...fields,
    token: z.string().meta({
      description: "Stands in for a key, for this template and table alone.",
    }),
    url: z.string().meta({
      description:
        "The page. `?recordId=` and a record's id are to be added; several with commas.",
    }),
    formulas: z.array(formula).meta({
      description:
        "To be pasted into the platform; empty for one without formulas.",
    }),
  })
  .meta({ id: "LinkWithUrl" });

export const newLink = z
  .strictObject({
    templateId: z.string(),
    platform: z.string().meta({ example: "airtable" }),
    name: z.string().optional().meta({
      description: "What people read above the page. Default: the template's.",
    }),
    connectionId: z.string().optional().meta({
      description:
        "Default: the template's, else the organization's only one for the platform.",
    }),
    baseId: z.string().optional(),
    tableId: z.string().optional().meta({
      description: "By id or name. Default: the template's.",
    }),
    attachmentField: z.string().optional().meta({
      description: "By id or name; without it, files go nowhere.",
    }),
    formats: formats.optional().meta({ default: ["pdf"] }),
    overwriteExisting: z.boolean().optional().meta({ default: false }),
    expiresAt: z.iso.datetime({ offset: true }).optional().meta({
      description: "Default: never.",
      example: "2030-12-31T18:00:00Z",
    }),
  })
  .meta({
    id: "NewLink",
    example: {
      templateId: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
      platform: "airtable",
      attachmentField: "Invoice",
    },
  });
