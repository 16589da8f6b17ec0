import { z } from "zod";
import { childrenSchema } from "./component-schema.js";
import {
  dataCollectionSchema,
  jsonSchema,
  templateString,
} from "./data-schema.js";
import { einvoiceSchema } from "./einvoice-schema.js";
import { pageSetupSchema, pdfSetupSchema } from "./output-schema.js";
import {
  colorSchema,
  currencySchema,
  isKnownLocale,
  LOCALE_ERROR,
  localeSchema,
  timeZoneSchema,
} from "./primitives.js";
import { styleNameSchema, styleSchema } from "./text-schema.js";

const emailSetupSchema = z.strictObject({
  subject: templateString,
  preheader: templateString.optional(),
  width: z.number().int().min(200).max(1200).optional(),
  background: colorSchema.optional(),
  darkMode: z.enum(["auto", "off"]).optional(),
});

/** A definition, version 1: the data that it expects and the components that show it. */
export const projectDataSchema = z.strictObject({
  $schema: z
    .string()
    .optional()
    .describe(
      "The address of this JSON Schema, for editors that complete and check by it; not used.",
    ),
  schemaVersion: z
    .literal(1)
    .optional()
    .describe("The version of this format; defaults to 1."),
  schema: z
    .array(dataCollectionSchema)
    .describe(
      "The data: collections of fields. The first is `root`, the record.",
    ),
  components: childrenSchema,
  page: pageSetupSchema
    .optional()
    .describe("Paper, headers and footers of a document template."),
  pdf: pdfSetupSchema
    .optional()
    .describe("Properties of the PDF file and PDFs joined to it."),
  einvoice: einvoiceSchema
    .optional()
    .describe("The electronic invoice of a document template."),
  email: emailSetupSchema
    .optional()
    .describe("Subject and frame of an email template."),
  locale: z
    .string()
    .refine((text) => text.includes("{{") || isKnownLocale(text), {
      error: LOCALE_ERROR,
    })
    .optional()
    .describe(
      "The language of the document: a BCP 47 tag, such as de-DE, or a Template that results in one. Default en-US.",
    ),
  translations: z
    .record(localeSchema, z.record(z.string().min(1).max(200), z.string()))
    .optional()
    .describe(
      'Texts by key, by locale, in the ICU message format; printed by {{ t("key") }}.',
    ),
  currency: currencySchema
    .optional()
    .describe("An ISO 4217 code, such as EUR. Default USD."),
  timeZone: timeZoneSchema
    .optional()
    .describe("An IANA name, such as Europe/Berlin. Default UTC."),
  styles: z
    .record(styleNameSchema, styleSchema)
    .optional()
    .describe("Named styles for `class`."),
  fileName: templateString
    .optional()
    .describe("The name of the file, without its extension."),
  sample: jsonSchema
    .optional()
    .describe("A sample record, for previews and thumbnails."),
  samples: z
    .record(z.string().min(1).max(60), jsonSchema)
    .optional()
    .describe(
      "More sample records by name, which the editor can show. `short`, `long` and `extreme` replace those that it derives.",
    ),
});

export interface EmailSetup extends z.infer<typeof emailSetupSchema> {}

/** Extensions (`x-*`) are stored unchanged and not used. */
export type ProjectData = z.infer<typeof projectDataSchema> & {
  [extension: `x-${string}`]: z.core.util.JSONType;
};

export const TEMPLATE_TYPES = ["document", "email"] as const;
export type TemplateType = (typeof TEMPLATE_TYPES)[number];

/** The source of a template's records, as in the REST API; each part is null when it is not set. */
export interface DataSource {
  platform: string | null;
  connectionId: string | null;
  baseId: string | null;
  tableId: string | null;
}

/** Returns null when the root has no connection to a platform. */
export function getDataSource(definition: ProjectData): DataSource | null {
  const { platform, connectionId, baseId, tableId } =
    definition.schema[0]?.connection ?? {};
  if (platform === undefined && connectionId === undefined) return null;
  return {
    platform: platform ?? null,
    connectionId: connectionId ?? null,
    baseId: baseId ?? null,
    tableId: tableId ?? null,
  };
}
