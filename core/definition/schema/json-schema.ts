import { z } from "zod";
import { COMPONENT_DESCRIPTIONS } from "./component-descriptions.js";
import { COMPONENT_TYPES, type ComponentType } from "./component-schema.js";
import { projectDataSchema } from "./project-data.js";

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
