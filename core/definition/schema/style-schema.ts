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

/** A named style's name: it becomes a class, so it has to be an identifier. */
export const styleNameSchema = z.string().regex(/^[A-Za-z][\w-]*$/, {
  error: "a name of letters, digits, - and _, beginning with a letter",
});

export type Style = z.infer<typeof styleSchema>;
