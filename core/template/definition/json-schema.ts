import { z } from "zod";
import { COMPONENT_DESCRIPTIONS } from "./component-descriptions.js";
import { COMPONENT_TYPES, type ComponentType } from "./component-schema.js";
import { projectDataSchema } from "./project-data.js";

/** The definition's JSON Schema (2020-12), made from the schema that checks it. */
export function definitionJsonSchema(): z.core.JSONSchema.BaseSchema {
  const { $schema, ...schema } = z.toJSONSchema(projectDataSchema, {
    override: ({ zodSchema, jsonSchema }) => {
      const type = componentType(jsonSchema);
      if (type !== undefined)
        jsonSchema.description = COMPONENT_DESCRIPTIONS[type];
      if (type !== undefined || zodSchema === projectDataSchema)
        jsonSchema.patternProperties = { "^x-": {} };
    },
  });
  const title = "Platen template definition, version 1";
  return { ...($schema && { $schema }), title, ...schema };
}

/** The component that a schema is for; undefined for any other schema. */
export function componentType({
  properties,
}: z.core.JSONSchema.BaseSchema): ComponentType | undefined {
  const type = properties?.["type"];
  const name = typeof type === "object" ? type.const : undefined;
  return COMPONENT_TYPES.find((known) => known === name);
}
