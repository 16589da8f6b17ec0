import { z } from "zod";
import {
  COMPONENT_TYPES,
  type ComponentType,
  EXPANDED,
} from "./component-schema.js";
import { projectDataSchema } from "./definition-schema.js";

/**
 * The JSON Schema (2020-12) of a definition, generated from the zod schema. It covers the structure of a definition;
 * only the checker knows scopes, ids, placement, locales and time zones.
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
        const { components } = jsonSchema.properties ?? {};
        if (Object(components).description === EXPANDED)
          delete jsonSchema.properties?.["components"];
      }
      if (type !== undefined || zodSchema === projectDataSchema)
        jsonSchema.patternProperties = { "^x-": {} };
    },
  });
  return {
    ...($schema && { $schema }),
    ...(id !== undefined && { $id: id }),
    title: "Platen template definition, version 1",
    description: "Describes how one record becomes one document.",
    ...schema,
  };
}

/** The component type that a JSON Schema describes; undefined for any other schema. */
export function componentType({
  properties,
}: z.core.JSONSchema.BaseSchema): ComponentType | undefined {
  const type = properties?.["type"];
  const name = typeof type === "object" ? type.const : undefined;
  return COMPONENT_TYPES.find((candidate) => candidate === name);
}

/** Describes each component in one line, for the guide and the JSON Schema. */
export const COMPONENT_DESCRIPTIONS: Readonly<Record<ComponentType, string>> = {
  fragment:
    "Groups components under one condition or collection, also table rows.",
  partial: "The organization's block of this name.",
  container: "A block around its components.",
  columns: "A row of columns; `gap` defaults to 24px.",
  column:
    "In columns or section. Without `width` it shares the remaining space.",
  heading: "Level 1 (default) to 6.",
  text: "A paragraph. Newlines become line breaks.",
  markdown: "Markdown, rendered after merging, sanitized.",
  html: "HTML, sanitized after merging: scripts and styles are removed with their content.",
  markup:
    "HTML with expressions and `data-each`, `data-if`, …, as it is written, and its style sheet; in emails `mjml`. See HTML templates.",
  list: "Bullets, or numbers when `ordered`.",
  "list-item": "In list.",
  image:
    "`src`: a data URL, `asset:<id>` (for a video, its poster) or a public https address (at most 10 MB); an empty one shows nothing.",
  button: "A link that looks like a button.",
  divider: "A thin line; change it with `border-top` in its style.",
  spacer: "Vertical space.",
  table: "`columns` set the width and align of their cells.",
  "table-row": "In table. `header` rows at the top are repeated on every page.",
  "table-cell": "In table-row.",
  qrcode: "`size` defaults to 28mm, `ecc` to M. An empty value shows nothing.",
  barcode:
    "A value that the symbology cannot encode fails; a missing check digit of EAN, UPC or ITF-14 is added. GS1 values have application identifiers in parentheses, `(01)09506000134352(10)ABC`, or FNC1 as GS (ASCII 29). `width` and `height` include the text; `width` alone keeps the proportions, and matrix codes fit into both.",
  chart:
    "`data`: path of a collection. `label` and `field` are read from each element; with an `aggregate`, elements with the same label are combined.",
  "page-break": "Starts a new page.",
  "page-number":
    'In headers and footers. `format`: "Page {page} of {pages}"; default "{page}".',
  "sign-field":
    "A box that a signer fills in; `submitter` is a role, `name` a Template.",
  section: "A row of columns across the width of the email.",
  hero: "An image (`background`, like the src of an image) with components on top.",
  social:
    "Links as icons in circles, whose `color` is that of the style. `network`: linkedin, x, email, phone, website, …; `size` defaults to 28px.",
  preheader:
    "The preview line that mail programs show next to the subject; once, at the top level.",
};
