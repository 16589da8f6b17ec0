import { z } from "zod";
import { tool, type Tool } from "../tool.js";
import { includeDefinition, READS, templateId } from "./arguments.js";
import { definitionIfShort } from "./definition-if-short.js";
import type { ToolServices } from "./services.js";

const input = z.strictObject({
  templateId,
  typeOnly: z
    .boolean()
    .optional()
    .meta({ description: "True: answer with the id and the type alone." }),
  includeDefinition: includeDefinition.optional(),
});

const output = z.looseObject({
  id: z.string(),
  templateType: z.enum(["document", "email"]),
  name: z.string().optional(),
  version: z.number().optional(),
  updatedAt: z.string().optional(),
  definition: z.looseObject({}).optional(),
  definitionLeftOut: z.looseObject({}).optional(),
});

export function getTemplate({
  templates,
}: Pick<ToolServices, "templates">): Tool {
  return tool({
    name: "get_template",
    title: "Read a template",
    description:
      "A template's settings and its definition; one in the trash too. The definition is what edit_template takes, " +
      "and updatedAt what it takes as expectedVersion.",
    scope: "templates:read",
    input,
    output,
    annotations: READS,
    async run({ caller: { organizationId }, input: asked }) {
      const { templateId: id, typeOnly } = asked;
      if (typeOnly) return templates.typeOf(organizationId, id);
      const template = await templates.get(organizationId, id);
      const { definition, ...settings } = template;
      return {
        ...settings,
        ...definitionIfShort(definition, asked.includeDefinition),
      };
    },
  });
}
