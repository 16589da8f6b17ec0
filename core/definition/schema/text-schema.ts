import { z } from "zod";
import { STYLE_PROPERTIES } from "../../plugin-api/index.js";
import { templateString } from "./data-schema.js";

/** Kebab-case CSS from the allow-list; each value is a Template. */
export const styleSchema = z
  .partialRecord(z.enum(STYLE_PROPERTIES), templateString)
  .meta({
    id: "Style",
    description: "CSS from an allow-list; each value is a Template.",
  });

/** The name of a named style; it becomes a CSS class, so it must be an identifier. */
export const styleNameSchema = z.string().regex(/^[A-Za-z][\w-]*$/, {
  error: "a name of letters, digits, - and _, beginning with a letter",
});

export type Style = z.infer<typeof styleSchema>;

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

export const textSchema = z
  .union([templateString, z.array(inlineSchema)])
  .meta({
    id: "Text",
    description:
      "A Template, or a list of inline nodes where parts of it are marked.",
  });

export type Mark = z.infer<typeof markSchema>;
export type Inline = z.infer<typeof inlineSchema>;
export type Text = z.infer<typeof textSchema>;

/** Splits a `class` into the names of styles, in order. */
export function classNames(list: string | undefined): string[] {
  return list?.split(/\s+/).filter((name) => name !== "") ?? [];
}
