import { z } from "zod";
import {
  logicSchema,
  repeatSchema,
  templateString,
  type Repeat,
} from "./data-schema.js";
import * as own from "./own-properties.js";
import { alignSchema, colorSchema, sizeSchema } from "./primitives.js";
import { styleSchema, textSchema } from "./text-schema.js";

// The components of a definition: the source of the types, the JSON Schema, the guide and the structural checks.

/** An interface because TypeScript resolves it lazily, so that the component type may contain itself. */
interface Children extends Array<Component> {}

export const childrenSchema: z.ZodType<Children> = z
  .lazy(() => z.array(componentSchema))
  .meta({ id: "Components", description: "A list of components, in order." });

const conditionSchema = logicSchema
  .extend({ else: childrenSchema.optional() })
  .meta({
    id: "Condition",
    description: "Whether a component is shown, and what is shown instead.",
  });

const collectionSchema = repeatSchema
  .extend({ empty: childrenSchema.optional() })
  .meta({
    id: "Collection",
    description: "Repeats a component for each element of a list.",
  });

const base = {
  id: z
    .string()
    .min(1)
    .optional()
    .describe("Assigned when the definition is saved; unique within it."),
  class: z
    .string()
    .optional()
    .describe("Names of styles, separated by spaces."),
  style: styleSchema.optional(),
  condition: conditionSchema.optional(),
  collection: collectionSchema.optional(),
  keepTogether: z
    .boolean()
    .optional()
    .describe("Whether to avoid splitting it across pages."),
};

const kids = { components: childrenSchema };
const span = z.number().int().min(1).max(1000).optional();

const containers = [
  z.strictObject({ type: z.literal("fragment"), ...base, ...kids }),
  z.strictObject({ type: z.literal("container"), ...base, ...kids }),
  z.strictObject({
    type: z.literal("columns"),
    ...base,
    gap: sizeSchema.optional(),
    ...kids,
  }),
  z.strictObject({
    type: z.literal("column"),
    ...base,
    width: sizeSchema.optional(),
    ...kids,
  }),
] as const;

const texts = [
  z.strictObject({
    type: z.literal("heading"),
    ...base,
    ...own.heading,
  }),
  z.strictObject({ type: z.literal("text"), ...base, ...own.text }),
  z.strictObject({
    type: z.literal("markdown"),
    ...base,
    ...own.markdown,
  }),
  z.strictObject({ type: z.literal("html"), ...base, ...own.html }),
  z.strictObject({
    type: z.literal("list"),
    ...base,
    ordered: z.boolean().optional(),
    ...kids,
  }),
  z.strictObject({
    type: z.literal("list-item"),
    ...base,
    text: textSchema.optional(),
    components: childrenSchema.optional(),
  }),
] as const;

const shapes = [
  z.strictObject({
    type: z.literal("image"),
    ...base,
    ...own.image,
  }),
  z.strictObject({
    type: z.literal("button"),
    ...base,
    ...own.button,
  }),
  z.strictObject({ type: z.literal("divider"), ...base }),
  z.strictObject({
    type: z.literal("spacer"),
    ...base,
    ...own.spacer,
  }),
] as const;

const tables = [
  z.strictObject({
    type: z.literal("table"),
    ...base,
    columns: z
      .array(
        z.strictObject({
          width: sizeSchema.optional(),
          align: alignSchema.optional(),
        }),
      )
      .optional(),
    ...kids,
  }),
  z.strictObject({
    type: z.literal("table-row"),
    ...base,
    header: z.boolean().optional(),
    ...kids,
  }),
  z.strictObject({
    type: z.literal("table-cell"),
    ...base,
    text: textSchema.optional(),
    components: childrenSchema.optional(),
    colspan: span,
    rowspan: span,
    align: alignSchema.optional(),
  }),
] as const;

const codes = [
  z.strictObject({
    type: z.literal("qrcode"),
    ...base,
    ...own.qrcode,
  }),
  z.strictObject({
    type: z.literal("barcode"),
    ...base,
    ...own.barcode,
  }),
  z.strictObject({
    type: z.literal("chart"),
    ...base,
    ...own.chart,
  }),
] as const;

const documentOnly = [
  z.strictObject({ type: z.literal("page-break"), ...base }),
  z.strictObject({
    type: z.literal("page-number"),
    ...base,
    ...own.pageNumber,
  }),
  z.strictObject({
    type: z.literal("sign-field"),
    ...base,
    ...own.signField,
  }),
] as const;

const emailOnly = [
  z.strictObject({
    type: z.literal("section"),
    ...base,
    fullWidth: z.boolean().optional(),
    background: colorSchema.optional(),
    ...kids,
  }),
  z.strictObject({
    type: z.literal("hero"),
    ...base,
    background: templateString,
    ...kids,
  }),
  z.strictObject({
    type: z.literal("social"),
    ...base,
    ...own.social,
  }),
  z.strictObject({
    type: z.literal("preheader"),
    ...base,
    ...own.preheader,
  }),
] as const;

const options = z.discriminatedUnion("type", [
  ...containers,
  ...texts,
  ...shapes,
  ...tables,
  ...codes,
  ...documentOnly,
  ...emailOnly,
]);

const componentSchema: z.ZodType<Component> = options.meta({
  id: "Component",
  description: "A component; `type` determines its properties.",
});

export const COMPONENT_TYPES: readonly ComponentType[] = options.options.map(
  (option) => option.shape.type.value,
);

export type Component = z.infer<typeof options>;
export type ComponentType = Component["type"];
export type ComponentOf<T extends ComponentType> = Extract<
  Component,
  { type: T }
>;
export type Condition = z.infer<typeof conditionSchema>;
export type Collection = z.infer<typeof collectionSchema>;

/** The collection that a chart draws, grouped by label where a series is an aggregate; its element is `item` inside. */
export function chartRepeat({
  data,
  label,
  series,
}: ComponentOf<"chart">): Repeat {
  const isGrouped = series.some(({ aggregate }) => aggregate !== undefined);
  return {
    collectionId: "item",
    path: data,
    ...(isGrouped && { groupBy: { field: label } }),
  };
}
