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

function defineComponent<Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
) {
  return z.strictObject({ type: z.literal(type), ...base, ...shape });
}

const kids = { components: childrenSchema };
const span = z.number().int().min(1).max(1000).optional();

const containers = [
  defineComponent("fragment", kids),
  defineComponent("container", kids),
  defineComponent("columns", { gap: sizeSchema.optional(), ...kids }),
  defineComponent("column", { width: sizeSchema.optional(), ...kids }),
] as const;

/** Components that the organization keeps under a name; replaced by them before anything else is done. */
const partials = [
  defineComponent("partial", {
    name: z.string().min(1).describe("The name of a reusable block."),
  }),
] as const;

/** Marks a property that only `expandPartials` writes. */
export const EXPANDED = "The blocks of data-partial, in their order.";

const texts = [
  defineComponent("heading", {
    text: textSchema,
    level: z.number().int().min(1).max(6).optional(),
  }),
  defineComponent("text", { text: textSchema }),
  defineComponent("markdown", { value: templateString }),
  defineComponent("html", { value: templateString }),
  defineComponent("markup", {
    html: templateString.optional(),
    css: z.string().optional(),
    mjml: templateString.optional(),
    components: childrenSchema.optional().describe(EXPANDED),
  }),
  defineComponent("list", { ordered: z.boolean().optional(), ...kids }),
  defineComponent("list-item", {
    text: textSchema.optional(),
    components: childrenSchema.optional(),
  }),
] as const;

const shapes = [
  defineComponent("image", {
    src: templateString,
    alt: templateString.optional(),
    width: sizeSchema.optional(),
    height: sizeSchema.optional(),
    fit: z.enum(["contain", "cover"]).optional(),
    href: templateString.optional(),
  }),
  defineComponent("button", { text: textSchema, href: templateString }),
  defineComponent("divider", {}),
  defineComponent("spacer", { height: sizeSchema }),
] as const;

const tables = [
  defineComponent("table", {
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
  defineComponent("table-row", { header: z.boolean().optional(), ...kids }),
  defineComponent("table-cell", {
    text: textSchema.optional(),
    components: childrenSchema.optional(),
    colspan: span,
    rowspan: span,
    align: alignSchema.optional(),
  }),
] as const;

const codes = [
  defineComponent("qrcode", {
    value: templateString,
    size: sizeSchema.optional(),
    ecc: z.enum(["L", "M", "Q", "H"]).optional(),
  }),
  defineComponent("barcode", {
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
  defineComponent("chart", {
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
  defineComponent("page-break", {}),
  defineComponent("page-number", { format: z.string().optional() }),
  defineComponent("sign-field", {
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
  defineComponent("section", {
    fullWidth: z.boolean().optional(),
    background: colorSchema.optional(),
    ...kids,
  }),
  defineComponent("hero", { background: templateString, ...kids }),
  defineComponent("social", {
    items: z.array(
      z.strictObject({ network: z.string().min(1), href: templateString }),
    ),
    size: sizeSchema.optional(),
  }),
  defineComponent("preheader", { text: templateString }),
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
