import { z } from "zod";
import { childrenSchema } from "./component-schema.js";
import {
  dataCollectionSchema,
  jsonSchema,
  templateString,
} from "./data-schema.js";
import { pageSetupSchema } from "./page-schema.js";
import {
  colorSchema,
  currencySchema,
  localeSchema,
  timeZoneSchema,
} from "./primitives.js";
import { styleNameSchema, styleSchema } from "./style-schema.js";

export const emailSetupSchema = z.strictObject({
  subject: templateString,
  preheader: templateString.optional(),
  width: z.number().int().min(200).max(1200).optional(),
  background: colorSchema.optional(),
});

/** A whole definition, version 1: the data that it expects, and the components that show it. */
export const projectDataSchema = z.strictObject({
  schemaVersion: z.literal(1).optional(),
  schema: z.array(dataCollectionSchema),
  components: childrenSchema,
  page: pageSetupSchema.optional(),
  email: emailSetupSchema.optional(),
  locale: localeSchema.optional(),
  currency: currencySchema.optional(),
  timeZone: timeZoneSchema.optional(),
  styles: z.record(styleNameSchema, styleSchema).optional(),
  fileName: templateString.optional(),
  sample: jsonSchema.optional(),
});

export type EmailSetup = z.infer<typeof emailSetupSchema>;

/** Extensions (`x-*`) are kept as they are and read by nobody here. */
export type ProjectData = z.infer<typeof projectDataSchema> & {
  [extension: `x-${string}`]: z.core.util.JSONType;
};
