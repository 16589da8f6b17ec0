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
  brand: BlueprintBrand;
  definition: ProjectData;
}

/** The values of a blueprint that an organization's brand kit replaces. The first image is the logo. */
const brandSchema = z.strictObject({
  /** By their names in the kit. */
  colors: z.record(z.string(), z.string()),
  headingFont: z.string().nullable().default(null),
  bodyFont: z.string().nullable().default(null),
});

export type BlueprintBrand = z.infer<typeof brandSchema>;

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
  brand: brandSchema.prefault({ colors: {} }),
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
