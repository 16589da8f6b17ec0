import { z } from "zod";
import { SIGN_FIELD_TYPES } from "./known-values.js";
import {
  logicObject,
  repeatSchema,
  templateString,
  type Repeat,
} from "./data-schema.js";
import { alignSchema, colorSchema, sizeSchema } from "./primitives.js";
import { styleSchema, textSchema } from "./text-schema.js";

// The components of a definition: the source of the types, the JSON Schema, the guide and the structural checks.

/** An interface because TypeScript resolves it lazily, so that the component type may contain itself. */
export interface Components extends Array<Component> {}

export const childrenSchema: z.ZodType<Components> = z
  .lazy(() => z.array(componentSchema))
  .meta({ id: "Components", description: "A list of components, in order." });

const conditionObject = logicObject
  .extend({ else: childrenSchema.optional() })
  .meta({
    id: "Condition",
    description: "Whether a component is shown, and what is shown instead.",
  });

const collectionObject = repeatSchema
  .extend({ empty: childrenSchema.optional() })
  .meta({
    id: "Collection",
    description: "Repeats a component for each element of a list.",
  });

/** When a component is shown, and what is shown otherwise. */
export interface Condition extends z.infer<typeof conditionObject> {}
const conditionSchema: z.ZodType<Condition> = conditionObject;

/** Repeats a component for each element of a list. */
export interface Collection extends z.infer<typeof collectionObject> {}
const collectionSchema: z.ZodType<Collection> = collectionObject;

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

/** Components that the organization keeps under a name; replaced by them before anything else is done. */
const partials = [
  z.strictObject({
    type: z.literal("partial"),
    ...base,
    name: z.string().min(1).describe("The name of a reusable block."),
  }),
] as const;

/** Marks a property that only `expandPartials` writes. */
export const EXPANDED = "The blocks of data-partial, in their order.";

const texts = [
  z.strictObject({
    type: z.literal("heading"),
    ...base,
    text: textSchema,
    level: z.number().int().min(1).max(6).optional(),
  }),
  z.strictObject({ type: z.literal("text"), ...base, text: textSchema }),
  z.strictObject({
    type: z.literal("markdown"),
    ...base,
    value: templateString,
  }),
  z.strictObject({ type: z.literal("html"), ...base, value: templateString }),
  z.strictObject({
    type: z.literal("markup"),
    ...base,
    html: templateString.optional(),
    css: z.string().optional(),
    mjml: templateString.optional(),
    components: childrenSchema.optional().describe(EXPANDED),
  }),
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
    src: templateString,
    alt: templateString.optional(),
    width: sizeSchema.optional(),
    height: sizeSchema.optional(),
    fit: z.enum(["contain", "cover"]).optional(),
    href: templateString.optional(),
  }),
  z.strictObject({
    type: z.literal("button"),
    ...base,
    text: textSchema,
    href: templateString,
  }),
  z.strictObject({ type: z.literal("divider"), ...base }),
  z.strictObject({
    type: z.literal("spacer"),
    ...base,
    height: sizeSchema,
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
    value: templateString,
    size: sizeSchema.optional(),
    ecc: z.enum(["L", "M", "Q", "H"]).optional(),
  }),
  z.strictObject({
    type: z.literal("barcode"),
    ...base,
    value: templateString,
    symbology: z.enum([
      "code128",
      "code39",
      "ean13",
      "ean8",
      "upca",
      "itf14",
      "gs1-128",
      "datamatrix",
      "gs1datamatrix",
      "pdf417",
    ]),
    showText: z.boolean().optional(),
    width: sizeSchema.optional(),
    height: sizeSchema.optional(),
  }),
  z.strictObject({
    type: z.literal("chart"),
    ...base,
    chart: z.enum(["bar", "line", "pie", "doughnut"]),
    data: z.string().min(1),
    label: z.string().min(1),
    series: z
      .array(
        z.strictObject({
          field: z.string().min(1),
          label: z.string().optional(),
          color: colorSchema.optional(),
          aggregate: z.enum(["SUM", "COUNT", "AVG"]).optional(),
        }),
      )
      .min(1),
    height: sizeSchema.optional(),
  }),
] as const;

const documentOnly = [
  z.strictObject({ type: z.literal("page-break"), ...base }),
  z.strictObject({
    type: z.literal("page-number"),
    ...base,
    format: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal("sign-field"),
    ...base,
    field: z.enum(SIGN_FIELD_TYPES),
    /** A Template. */
    name: z.string().min(1),
    submitter: templateString,
    required: z.boolean().optional(),
    width: sizeSchema.optional(),
    height: sizeSchema.optional(),
    options: z.array(z.string()).optional(),
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
    items: z.array(
      z.strictObject({ network: z.string().min(1), href: templateString }),
    ),
    size: sizeSchema.optional(),
  }),
  z.strictObject({
    type: z.literal("preheader"),
    ...base,
    text: templateString,
  }),
] as const;

const options = z.discriminatedUnion("type", [
  ...containers,
  ...partials,
  ...texts,
  ...shapes,
  ...tables,
  ...codes,
  ...documentOnly,
  ...emailOnly,
]);

for (const option of options.options)
  z.globalRegistry.add(option, {
    id: `${toPascalCase(option.shape.type.value)}Component`,
  });

function toPascalCase(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_match, letter: string) =>
    letter.toUpperCase(),
  );
}

const componentSchema: z.ZodType<Component> = options.meta({
  id: "Component",
  description: "A component; `type` determines its properties.",
});

export const COMPONENT_TYPES: readonly ComponentType[] = options.options.map(
  (option) => option.shape.type.value,
);

export type Component = z.infer<(typeof options)["options"][number]>;
export type ComponentType = Component["type"];
export type ComponentOf<T extends ComponentType> = Extract<
  Component,
  { type: T }
>;
export type ChartSeries = ComponentOf<"chart">["series"][number];

/** The repetition that a chart implies, grouped by label when a series has an aggregate; the element is `item`. */
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
