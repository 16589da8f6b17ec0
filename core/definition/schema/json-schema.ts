import { z } from "zod";
import { COMPONENT_TYPES, type ComponentType } from "./component-schema.js";
import { projectDataSchema } from "./definition-schema.js";

/**
 * The definition's JSON Schema (2020-12), made from the schema that checks it. It knows the form of a definition;
 * scopes, ids, places, locales and time zones are the checker's.
 * @param id the absolute URI where it is published
 */
export function definitionJsonSchema(
  id?: string,
): z.core.JSONSchema.BaseSchema {
  const { $schema, ...schema } = z.toJSONSchema(projectDataSchema, {
    override: ({ zodSchema, jsonSchema }) => {
      const type = componentType(jsonSchema);
      if (type !== undefined) {
        jsonSchema.title = type;
        jsonSchema.description = COMPONENT_DESCRIPTIONS[type];
      }
      if (type !== undefined || zodSchema === projectDataSchema)
        jsonSchema.patternProperties = { "^x-": {} };
    },
  });
  return {
    ...($schema && { $schema }),
    ...(id !== undefined && { $id: id }),
    title: "Platen template definition, version 1",
    description: "How one record becomes one document.",
    ...schema,
  };
}

/** The component that a schema is for; undefined for any other schema. */
export function componentType({
  properties,
}: z.core.JSONSchema.BaseSchema): ComponentType | undefined {
  const type = properties?.["type"];
  const name = typeof type === "object" ? type.const : undefined;
  return COMPONENT_TYPES.find((known) => known === name);
}

/** What each component is, in one line: for the guide and the JSON Schema. */
export const COMPONENT_DESCRIPTIONS: Readonly<Record<ComponentType, string>> = {
  fragment:
    "Draws nothing itself; groups components under one condition or collection, rows in a table too.",
  container: "A block around its components.",
  columns: "A row of columns, 24px apart unless `gap` says otherwise.",
  column:
    "In columns or section. Without `width` it shares what the others leave.",
  heading: "Level 1 (default) to 6.",
  text: "A paragraph. A line end in it is a line break.",
  markdown: "Markdown, read after the data is merged into it, and sanitized.",
  html: "HTML, sanitized after the data is merged into it: scripts and styles vanish with their content.",
  list: "Bullets, or numbers when `ordered`.",
  "list-item": "In list.",
  image:
    "`src`: a data URL, `asset:<id>` (of a video, its poster) or a public https address (at most 10 MB); drawn unless empty.",
  button: "A link that looks like a button.",
  divider: "A thin rule; `border-top` in its style changes it.",
  spacer: "Empty height.",
  table: "`columns` give width and align to the cells below them.",
  "table-row":
    "In table. Rows with `header` at its top are repeated on every page.",
  "table-cell": "In table-row.",
  qrcode:
    "`size` 28mm, `ecc` M unless said otherwise. Nothing is drawn for an empty value.",
  barcode:
    "A value that the symbology cannot carry fails; a missing check digit is added.",
  chart:
    "`data`: path of a collection. `label` and `field` are read from one element; with an `aggregate` elements of equal label are one.",
  "page-break": "Begins a new page.",
  "page-number":
    'In headers and footers. `format`: "Page {page} of {pages}"; default "{page}".',
  "sign-field": "A box that a signer fills in; `submitter` is a role.",
  section: "A row of columns over the width of the email.",
  hero: "A picture (`background`, as an image's src) with components on it.",
  social: "Links to networks, in words.",
  preheader:
    "The line that mail programs show beside the subject; once, at the top.",
};
