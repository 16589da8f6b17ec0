import { z } from "zod";
import { COMPONENT_TYPES } from "./component-schema.js";
import { projectDataSchema } from "./project-data.js";

/** The definition's JSON Schema (2020-12), made from the schema that checks it. */
export function definitionJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(projectDataSchema, {
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === projectDataSchema || isComponent(jsonSchema))
        jsonSchema.patternProperties = { "^x-": {} };
    },
  });
  const title = "Platen template definition, version 1";
  return { $schema, title, ...schema };
}

function isComponent({ properties }: z.core.JSONSchema.BaseSchema): boolean {
  const type = properties?.["type"];
  const name = typeof type === "object" ? type.const : undefined;
  return COMPONENT_TYPES.some((known) => known === name);
}
