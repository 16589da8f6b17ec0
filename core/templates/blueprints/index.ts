import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import { findNearestWord, PlatenError } from "../../plugin-api/index.js";
import { checkDefinition } from "../../definition/validation/check-definition.js";
import {
  type ProjectData,
  TEMPLATE_TYPES,
  type TemplateType,
} from "../../definition/schema/definition-schema.js";

// The example templates, a JSON file each beside this one. Each brings the record that it is shown with in
// `definition.sample`.

export interface Blueprint {
  /** The name of its file, such as `packing-list`: what a caller asks for it by. */
  id: string;
  name: string;
  templateType: TemplateType;
  description: string;
  /** In other languages, by code. */
  translations: Readonly<Record<string, { name: string; description: string }>>;
  definition: ProjectData;
}

/** The values of a blueprint that an organization's brand kit replaces. The first image is the logo. */
export interface BlueprintBrand {
  /** By their names in the kit. */
  colors: Record<string, string>;
  headingFont?: string;
  bodyFont?: string;
}

export function blueprintBrand({ id }: Blueprint): BlueprintBrand {
  return BRANDS[id] ?? { colors: {} };
}

const BRANDS: Readonly<Record<string, BlueprintBrand>> = {
  certificate: {
    colors: { primary: "#96743a", text: "#1d2433", muted: "#6f6a60" },
    headingFont: "Playfair Display",
    bodyFont: "Source Serif 4",
  },
  contract: {
    colors: { primary: "#7c2230", text: "#1c1b1e", muted: "#6d6870" },
    bodyFont: "Source Serif 4",
  },
  "credit-note": {
    colors: { primary: "#6a2c55", text: "#201a1f", muted: "#766d74" },
    bodyFont: "Inter",
  },
  "french-invoice": {
    colors: { primary: "#24358c", text: "#1a1c2b", muted: "#6a6e82" },
    headingFont: "Playfair Display",
    bodyFont: "Inter",
  },
  "german-invoice": {
    colors: { primary: "#1f4d3a", text: "#17201c", muted: "#66716b" },
    bodyFont: "Inter",
  },
  invoice: {
    colors: { primary: "#d8412f", text: "#16181d", muted: "#6b7078" },
    bodyFont: "Inter",
  },
  newsletter: {
    colors: {
      primary: "#2f6b46",
      text: "#1d2a22",
      muted: "#6c776f",
      background: "#eef2ec",
    },
    headingFont: "Georgia",
    bodyFont: "Helvetica Neue",
  },
  "order-confirmation": {
    colors: {
      primary: "#a8492a",
      text: "#2a2521",
      muted: "#7d746b",
      background: "#f6f2ec",
    },
    headingFont: "Georgia",
    bodyFont: "Helvetica Neue",
  },
  "packing-list": {
    colors: { primary: "#0b6b50", text: "#14201c", muted: "#64706b" },
    bodyFont: "Inter",
  },
  "password-reset": {
    colors: {
      primary: "#4f46e5",
      text: "#18181b",
      muted: "#71717a",
      background: "#f4f4f5",
    },
    bodyFont: "Inter",
  },
  "purchase-order": {
    colors: { primary: "#0b7285", text: "#141a1f", muted: "#64707a" },
    bodyFont: "Inter",
  },
  quote: {
    colors: { primary: "#c8681a", text: "#1b1a17", muted: "#706b63" },
    bodyFont: "Inter",
  },
  report: {
    colors: { primary: "#1446a0", text: "#131a29", muted: "#647085" },
    bodyFont: "Inter",
  },
  statement: {
    colors: { primary: "#14457c", text: "#151b26", muted: "#667080" },
    bodyFont: "Inter",
  },
  xrechnung: {
    colors: { primary: "#20405c", text: "#141c24", muted: "#626d78" },
    bodyFont: "Inter",
  },
};

const fileSchema = z.strictObject({
  name: z.string().min(1),
  templateType: z.enum(TEMPLATE_TYPES),
  description: z.string().min(1),
  translations: z
    .record(
      z.string(),
      z.strictObject({
        name: z.string().min(1),
        description: z.string().min(1),
      }),
    )
    .default({}),
  definition: z.unknown(),
});

const folder = new URL("./", import.meta.url);

/** All of them, documents before emails, each kind in the order of the ids. */
export function blueprints(): Blueprint[] {
  const all = blueprintIds().map(read);
  return TEMPLATE_TYPES.flatMap((type) =>
    all.filter(({ templateType }) => templateType === type),
  );
}

/** @param wanted its id, or its name. @throws PlatenError `not_found` that names those there are. */
export function blueprint(wanted: string): Blueprint {
  const ids = blueprintIds();
  const id = wanted
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "-");
  if (ids.includes(id)) return read(id);
  const meant = findNearestWord(id, ids);
  throw new PlatenError(
    "not_found",
    `There is no blueprint ${JSON.stringify(wanted.slice(0, 80))}. ` +
      (meant === undefined ? "" : `Did you mean "${meant}"? `) +
      `There are: ${ids.join(", ")}.`,
  );
}

export function blueprintIds(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .toSorted();
}

/** By id. They are few, and checking them takes long. */
const cache = new Map<string, Blueprint>();

/** @returns a copy, which callers may change */
function read(id: string): Blueprint {
  const cached = cache.get(id);
  if (cached) return structuredClone(cached);
  const text = readFileSync(new URL(`${id}.json`, folder), "utf8");
  const parsed = { id, ...parseBlueprint(JSON.parse(text)) };
  cache.set(id, parsed);
  return structuredClone(parsed);
}

/** The content of a blueprint's file. @throws PlatenError `invalid_definition` with every problem of its definition. */
export function parseBlueprint(content: unknown): Omit<Blueprint, "id"> {
  const file = fileSchema.parse(content);
  const { definition, problems } = checkDefinition(
    file.definition,
    file.templateType,
  );
  if (definition) return { ...file, definition };
  throw new PlatenError(
    "invalid_definition",
    `The definition of the blueprint "${file.name}" has problems.`,
    { problems },
  );
}
