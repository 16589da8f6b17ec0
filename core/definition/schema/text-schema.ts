import { z } from "zod";
import { templateString } from "./data-schema.js";
import { styleSchema } from "./style-schema.js";

// Running text: a Template, or inline nodes where parts of it are marked.

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
