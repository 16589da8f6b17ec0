import { z } from "zod";
import { childrenSchema } from "./component-schema.js";
import { templateString } from "./data-schema.js";
import { colorSchema, lengthSchema } from "./primitives.js";

// The paper of a document template, and what is printed on every sheet of it.

export const PAGE_SIZES = [
  "A4",
  "A3",
  "A5",
  "Letter",
  "Legal",
  "Tabloid",
  "Custom",
] as const;

export const pageSizeSchema = z.enum(PAGE_SIZES);

/** One length for all sides, or a length for each; a side that is left out keeps its default. */
export const marginSchema = z
  .union([
    lengthSchema,
    z.strictObject({
      top: lengthSchema.optional(),
      right: lengthSchema.optional(),
      bottom: lengthSchema.optional(),
      left: lengthSchema.optional(),
    }),
  ])
  .meta({
    id: "Margin",
    description:
      "One length for all sides, or one for each; a side left out keeps its default.",
  });

/** A header or footer: its components, and how much room it needs at least. */
const bandSchema = z
  .union([
    childrenSchema,
    z.strictObject({
      components: childrenSchema,
      height: lengthSchema.optional(),
    }),
  ])
  .meta({
    id: "Band",
    description:
      "A header or footer: its components, and the least height that it takes.",
  });

const backgroundSchema = z.union([
  colorSchema,
  z.strictObject({
    color: colorSchema.optional(),
    image: templateString.optional(),
    fit: z.enum(["contain", "cover", "fill"]).optional(),
  }),
]);

const watermarkSchema = z.union([
  templateString,
  z.strictObject({
    text: templateString.optional(),
    image: templateString.optional(),
    color: colorSchema.optional(),
    opacity: z.number().min(0).max(1).optional(),
    angle: z.number().min(-360).max(360).optional(),
    fontSize: lengthSchema.optional(),
  }),
]);

export const pageSetupSchema = z.strictObject({
  size: pageSizeSchema.optional(),
  width: lengthSchema.optional(),
  height: lengthSchema.optional(),
  landscape: z.boolean().optional(),
  margin: marginSchema.optional(),
  header: bandSchema.optional(),
  footer: bandSchema.optional(),
  firstHeader: bandSchema.optional(),
  firstFooter: bandSchema.optional(),
  background: backgroundSchema.optional(),
  watermark: watermarkSchema.optional(),
});

export type PageSize = z.infer<typeof pageSizeSchema>;
export type Margin = z.infer<typeof marginSchema>;
export type Band = z.infer<typeof bandSchema>;
export type Background = z.infer<typeof backgroundSchema>;
export type Watermark = z.infer<typeof watermarkSchema>;
export type PageSetup = z.infer<typeof pageSetupSchema>;
