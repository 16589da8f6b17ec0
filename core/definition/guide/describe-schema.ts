import type { z } from "zod";

export type JsonSchema = z.core.JSONSchema._JSONSchema;
type ObjectSchema = z.core.JSONSchema.BaseSchema;

const simpleTypes: ReadonlyMap<string, string> = new Map([
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
]);

/** A JSON Schema as a TypeScript type on one line; what it refers to is called by its name. */
export function describeSchema(schema: JsonSchema): string {
  if (typeof schema === "boolean") return "Json";
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum)
    return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
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

/** The properties of an object, `name?: type` each; those in `without` are left out. */
export function describeProperties(
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
