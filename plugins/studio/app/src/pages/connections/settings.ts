/** A property of a plugin's JSON Schema, as far as a form makes something of it. */
export interface SettingSchema {
  type?: string;
  enum?: readonly string[];
  default?: unknown;
  title?: string;
  description?: string;
  format?: string;
  writeOnly?: boolean;
  minimum?: number;
  maximum?: number;
  items?: { type?: string };
}

export interface SettingsSchema {
  required?: readonly string[];
  properties?: Readonly<Record<string, SettingSchema>>;
}

/** What a form has in a field: text for all but switches. */
export type Draft = Readonly<Record<string, string | boolean>>;

export type SettingKind =
  "text" | "secret" | "number" | "switch" | "choice" | "list" | "json";

export function kindOf(schema: SettingSchema): SettingKind {
  if (schema.enum) return "choice";
  if (schema.type === "boolean") return "switch";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "array" && schema.items?.type === "string") return "list";
  if (schema.type === "array" || schema.type === "object") return "json";
  return schema.writeOnly ? "secret" : "text";
}

/** Whether a form may put it aside: few need it. */
export function isAside(schema: SettingSchema, isRequired: boolean): boolean {
  const kind = kindOf(schema);
  const isSpecial = kind === "json" || kind === "list";
  return !isRequired && (isSpecial || schema.format === "uri");
}

/**
 * The credentials that a form holds; what was left empty is left out.
 * @throws Error in words, for a field that is no JSON.
 */
export function credentialsOf(
  { properties = {} }: SettingsSchema,
  draft: Draft,
): Record<string, unknown> {
  const entries = Object.entries(properties).flatMap(([name, schema]) => {
    const given = draft[name];
    if (given === undefined || given === "") return [];
    return [[name, valueOf(name, schema, given)] as const];
  });
  return Object.fromEntries(entries);
}

/** The other way round; of secrets, nothing is known. */
export function draftOf(
  { properties = {} }: SettingsSchema,
  credentials: Readonly<Record<string, unknown>>,
): Draft {
  const entries = Object.entries(properties).flatMap(([name, schema]) => {
    const value = credentials[name];
    if (value === undefined) return [];
    return [[name, draftValue(schema, value)] as const];
  });
  return Object.fromEntries(entries);
}

function draftValue(schema: SettingSchema, value: unknown): string | boolean {
  if (typeof value === "boolean" || typeof value === "string") return value;
  if (kindOf(schema) === "list" && Array.isArray(value))
    return value.join("\n");
  return JSON.stringify(value, null, 2);
}

export function hasSecrets({ properties = {} }: SettingsSchema): boolean {
  return Object.values(properties).some(({ writeOnly }) => writeOnly);
}

function valueOf(
  name: string,
  schema: SettingSchema,
  given: string | boolean,
): unknown {
  if (typeof given === "boolean") return given;
  const kind = kindOf(schema);
  if (kind === "number") return Number(given);
  if (kind === "list") return given.split("\n").map(trimmed).filter(Boolean);
  if (kind !== "json") return given;
  try {
    return JSON.parse(given);
  } catch {
    throw new Error(`${schema.title ?? name}: this is no JSON yet.`);
  }
}

function trimmed(line: string): string {
  return line.trim();
}
