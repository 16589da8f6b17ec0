import { z } from "zod";
import { templateString } from "./data-schema.js";
import { STYLE_PROPERTIES, type StyleProperty } from "./known-values.js";

/** CSS properties from an allow-list; each value is a Template. */
export type Style = { [Property in StyleProperty]?: string };

export const styleSchema: z.ZodType<Style> = z
  .partialRecord(z.enum(STYLE_PROPERTIES), templateString)
  .meta({
    id: "Style",
    description: "CSS from an allow-list; each value is a Template.",
  });

/** The name of a named style; it becomes a CSS class, so it must be an identifier. */
export const styleNameSchema = z.string().regex(/^[A-Za-z][\w-]*$/, {
  error: "a name of letters, digits, - and _, beginning with a letter",
});

// Running text: a Template, or inline nodes when parts of it have marks.

const SIMPLE_MARKS = ["bold", "italic", "underline", "strike"] as const;

const markSchema = z.union([
  z.enum(SIMPLE_MARKS),
  z.strictObject({ link: templateString }),
  z.strictObject({ style: styleSchema }),
]);

const inlineSchema = z.union([
  templateString,
  z.strictObject({
    text: templateString,
    marks: z.array(markSchema).optional(),
  }),
  z.strictObject({ br: z.literal(true) }),
  z.strictObject({ pageNumber: z.enum(["page", "pages"]) }),
]);

const textUnion = z.union([templateString, z.array(inlineSchema)]).meta({
  id: "Text",
  description:
    "A Template, or a list of inline nodes where parts of it are marked.",
});

export type SimpleMark = (typeof SIMPLE_MARKS)[number];
export type Mark = z.infer<(typeof markSchema)["options"][number]>;
export type Inline = z.infer<(typeof inlineSchema)["options"][number]>;
/** A Template, or inline nodes for text with marks. */
export type Text = z.infer<(typeof textUnion)["options"][number]>;
export const textSchema: z.ZodType<Text> = textUnion;

/** Splits a `class` into the names of styles, in order. */
export function classNames(list: string | undefined): string[] {
  return list?.split(/\s+/).filter((name) => name !== "") ?? [];
}
