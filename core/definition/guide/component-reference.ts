import type { z } from "zod";
import { COMPONENT_DESCRIPTIONS } from "../schema/component-descriptions.js";
import type { ComponentType } from "../schema/component-schema.js";
import { componentType, definitionJsonSchema } from "../schema/json-schema.js";
import { DOCUMENT_ONLY, EMAIL_ONLY } from "../schema/placement.js";
import { describeProperties, describeSchema } from "./describe-schema.js";

type ObjectSchema = z.core.JSONSchema.BaseSchema;

const SHARED = [
  "type",
  "id",
  "class",
  "style",
  "condition",
  "collection",
  "keepTogether",
];

/** Every component with its own properties, a line each, made from the schema. */
export function componentReference(): string {
  const options = definitionJsonSchema().$defs?.["Component"]?.oneOf ?? [];
  return options.flatMap(describeComponent).join("\n");
}

function describeComponent(option: boolean | ObjectSchema): string[] {
  const type = typeof option === "object" && componentType(option);
  if (!type) return [];
  const own = describeProperties(option, SHARED);
  const signature = own === "" ? type : `${type}: { ${own} }`;
  return [`- \`${signature}\` ${COMPONENT_DESCRIPTIONS[type]}${only(type)}`];
}

function only(type: ComponentType): string {
  if (DOCUMENT_ONLY.has(type)) return " Documents only.";
  return EMAIL_ONLY.has(type) ? " Emails only." : "";
}

/** A named part of the schema as a type, such as `Collection`. */
export function typeOf(name: string): string {
  const schema = definitionJsonSchema().$defs?.[name];
  return schema === undefined ? "" : `${name} = ${describeSchema(schema)}`;
}

/** A property of the whole definition as a type, such as `page`. */
export function propertyType(name: string): string {
  const schema = definitionJsonSchema().properties?.[name];
  return schema === undefined ? "" : `${name}: ${describeSchema(schema)}`;
}
