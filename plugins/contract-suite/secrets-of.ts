import type { SettingsSchema } from "../../core/plugin-api/index.js";

/** The credentials that the plugin's schema calls secret. */
export function secretsOf(
  schema: SettingsSchema,
  credentials: unknown,
): string[] {
  const { properties } = schema;
  if (typeof properties !== "object" || properties === null) return [];
  const values = new Map<string, unknown>(Object.entries(Object(credentials)));
  return Object.entries(properties)
    .filter(([, property]) => isWriteOnly(property))
    .map(([name]) => values.get(name))
    .filter((value) => typeof value === "string" && value !== "")
    .map(String);
}

function isWriteOnly(property: unknown): boolean {
  return (
    typeof property === "object" &&
    property !== null &&
    "writeOnly" in property &&
    property.writeOnly === true
  );
}
