import { readFileSync } from "node:fs";
import type { z } from "zod";
import { STYLE_PROPERTIES } from "../../plugin-api/index.js";
import {
  AGGREGATE_USAGES,
  FILTER_USAGES,
  FUNCTION_USAGES,
  WORD_LANGUAGES,
} from "../expressions/index.js";
import type { ComponentType } from "../schema/component-schema.js";
import { OPERATORS } from "../schema/data-schema.js";
import {
  COMPONENT_DESCRIPTIONS,
  componentType,
  definitionJsonSchema,
} from "../schema/json-schema.js";
import { DOCUMENT_ONLY, EMAIL_ONLY } from "../schema/placement.js";

/**
 * Explains how to write a definition, for assistants and people: Markdown of less than 27,000 characters. Components,
 * page and operators are generated from the schema; a test compiles every example.
 */
export function definitionGuide(): string {
  const text = readFileSync(new URL("./guide.md", import.meta.url), "utf8");
  const parts: Readonly<Record<string, string>> = {
    components: componentReference(),
    page: `\`${propertyType("page")}\``,
    email: `\`${propertyType("email")}\``,
    pdf: `\`pdf: ${typeOf("PdfSetup").replace("PdfSetup = ", "")}\``,
    conformance: `\`${typeOf("PdfConformance")}\``,
    margin: `\`${typeOf("Margin")}\``,
    band: `\`${typeOf("Band")}\``,
    operators: listed(OPERATORS, " "),
    aggregates: listed(AGGREGATE_USAGES),
    functions: listed(FUNCTION_USAGES),
    filters: listed(FILTER_USAGES),
    wordLanguages: WORD_LANGUAGES.join(", "),
    styles: STYLE_PROPERTIES.join(" "),
  };
  return text.replace(
    /<!-- (\w+) -->/g,
    (mark, name: string) => parts[name] ?? mark,
  );
}

function listed(words: readonly string[], separator = ", "): string {
  return words.map((word) => `\`${word}\``).join(separator);
}

const SHARED = [
  "type",
  "id",
  "class",
  "style",
  "condition",
  "collection",
  "keepTogether",
];

/** Lists every component with its own properties, one per line. */
function componentReference(): string {
  const { $defs = {} } = definitionJsonSchema();
  return Object.values($defs).flatMap(describeComponent).join("\n");
}

function describeComponent(schema: ObjectSchema): string[] {
  const type = componentType(schema);
  if (type === undefined) return [];
  const properties = describeProperties(schema, SHARED);
  const signature = properties === "" ? type : `${type}: { ${properties} }`;
  return [`- \`${signature}\` ${COMPONENT_DESCRIPTIONS[type]}${only(type)}`];
}

function only(type: ComponentType): string {
  if (DOCUMENT_ONLY.has(type)) return " Documents only.";
  return EMAIL_ONLY.has(type) ? " Emails only." : "";
}

/** Describes a named part of the schema as a type, such as `Collection`. */
function typeOf(name: string): string {
  const schema = definitionJsonSchema().$defs?.[name];
  return schema === undefined ? "" : `${name} = ${describeSchema(schema)}`;
}

/** Describes a property of the definition as a type, such as `page`. */
function propertyType(name: string): string {
  const schema = definitionJsonSchema().properties?.[name];
  return schema === undefined ? "" : `${name}: ${describeSchema(schema)}`;
}

type JsonSchema = z.core.JSONSchema._JSONSchema;
type ObjectSchema = z.core.JSONSchema.BaseSchema;

const simpleTypes: ReadonlyMap<string, string> = new Map([
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
]);

/** Describes a JSON Schema as a TypeScript type on one line; references are written by name. */
function describeSchema(schema: JsonSchema): string {
  if (typeof schema === "boolean") return "Json";
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum)
    return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return branches.map(describeSchema).join(" | ");
  if (schema.type === "array") return describeArray(schema);
  if (schema.type === "object") return `{ ${describeProperties(schema)} }`;
  return simpleTypes.get(String(schema.type)) ?? "Json";
}

function describeArray({ items }: ObjectSchema): string {
  if (items === undefined || Array.isArray(items)) return "Json[]";
  const item = describeSchema(items);
  return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
}

/** Describes the properties of an object as `name?: type`, except those in `without`. */
function describeProperties(
  { properties = {}, required = [] }: ObjectSchema,
  without: readonly string[] = [],
): string {
  return Object.entries(properties)
    .filter(([name]) => !without.includes(name))
    .map(([name, schema]) => {
      const mark = required.includes(name) ? "" : "?";
      return `${name}${mark}: ${describeSchema(schema)}`;
    })
    .join("; ");
}
