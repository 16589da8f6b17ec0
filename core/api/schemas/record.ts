import { z } from "zod";
import { FORMATS } from "../../plugin-api/index.js";

/** Any object, handed on as it came: what is in it is the template's affair, and its names are checked by the merge. */
export const data = z
  .custom<Record<string, unknown>>(isPlainObject, "must be an object")
  .meta({
    description: "The root record: variables of the template.",
    override: { type: "object", additionalProperties: true },
  });

export const formats = z
  .array(z.enum(FORMATS))
  .min(1)
  .refine(isWithoutDuplicates, "must name each format once")
  .meta({
    description:
      "Each at most once. `image` is the first page, or all of an email, unless `renderOptions.pages` says otherwise; `mjml` is the MJML source with the data merged, of a document its parts that a mail can show.",
    example: ["pdf"],
  });

function isPlainObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWithoutDuplicates(words: readonly string[]): boolean {
  return new Set(words).size === words.length;
}
