import { z } from "zod";
import {
  EINVOICE_MODEL,
  EINVOICE_PROFILE_NAMES,
  type EinvoiceGroup,
  type EinvoiceTerm,
} from "./einvoice-terms.js";

// The e-invoice of a template: a profile, and for each business term of EN 16931 the expression that provides it.

const { terms, groups, lines } = EINVOICE_MODEL;

const expression = z.string().min(1).max(2000).meta({
  id: "Expression",
  description:
    'An expression without braces, such as root.number, or a text in quotes: "DE".',
});

const EACH = /^\s*([\p{L}_][\p{L}\p{M}\p{N}_]*)\s+in\s+(\S.*?)\s*$/u;

const each = z
  .string()
  .regex(EACH, { error: 'a list, such as "line in root.lines"' })
  .optional()
  .describe('The list of its elements, such as "line in root.lines".');

/** What `each` names: the variable, and the path of the list. */
export function parseEach(text: string): {
  collectionId: string;
  path: string;
} {
  const [, collectionId = "", path = ""] = EACH.exec(text) ?? [];
  return { collectionId, path };
}

type Expressions<Terms> = { [Term in keyof Terms]?: string | undefined };
type OneOrMore<T> = T | T[];

export type EinvoiceGroupEntry<Terms> = Expressions<Terms> & {
  each?: string | undefined;
};
type GroupMaps<Groups extends Readonly<Record<string, EinvoiceGroup>>> = {
  [Group in keyof Groups]?:
    OneOrMore<EinvoiceGroupEntry<Groups[Group]["terms"]>> | undefined;
};

export type EinvoiceLineEntry = EinvoiceGroupEntry<typeof lines.terms> &
  GroupMaps<typeof lines.groups>;

export type EinvoiceMap = Expressions<typeof terms> &
  GroupMaps<typeof groups> & {
    lines?: OneOrMore<EinvoiceLineEntry> | undefined;
  };

function expressions(model: Readonly<Record<string, EinvoiceTerm>>) {
  return Object.fromEntries(
    Object.entries(model).map(([name, { id }]) => [
      name,
      expression.optional().describe(`${id}.`),
    ]),
  );
}

function groupSchemas(model: Readonly<Record<string, EinvoiceGroup>>) {
  return Object.fromEntries(
    Object.entries(model).map(([name, { id, terms: groupTerms }]) => {
      const entry = z
        .strictObject({ each, ...expressions(groupTerms) })
        .meta({ id: `Einvoice-${name}`, description: `${id} of EN 16931.` });
      return [
        name,
        z
          .union([entry, z.array(entry).max(50)])
          .optional()
          .describe(`${id}; several as an array.`),
      ];
    }),
  );
}

const lineSchema = z
  .strictObject({
    each,
    ...expressions(lines.terms),
    ...groupSchemas(lines.groups),
  })
  .meta({ id: "Einvoice-lines", description: "BG-25 of EN 16931." });

const mapSchema: z.ZodType<EinvoiceMap> = z
  .strictObject({
    ...expressions(terms),
    ...groupSchemas(groups),
    lines: z
      .union([lineSchema, z.array(lineSchema).max(50)])
      .optional()
      .describe("BG-25; several as an array."),
  })
  .meta({
    id: "EinvoiceMap",
    description:
      "The business terms of EN 16931, each with the expression that provides it.",
  });

export const einvoiceSchema = z.strictObject({
  profile: z
    .enum(EINVOICE_PROFILE_NAMES)
    .describe("The format and the level of detail."),
  map: mapSchema,
});

export interface EinvoiceSetup extends z.infer<typeof einvoiceSchema> {}

/** One entry of a group, with its place in the definition. */
export function listEntries<Entry extends object>(
  entries: OneOrMore<Entry> | undefined,
  path: string,
): { entry: Entry; path: string }[] {
  if (entries === undefined) return [];
  return Array.isArray(entries)
    ? entries.map((entry, index) => ({ entry, path: `${path}[${index}]` }))
    : [{ entry: entries, path }];
}
