import { z } from "zod";
import { tool, type Tool } from "../tool.js";
import { includeDefinition, READS, templateId } from "./arguments.js";
import { definitionIfShort } from "./definition-if-short.js";
import type { ToolServices } from "./services.js";

const input = z.strictObject({
  templateId,
  versionId: z.string().meta({
    description:
      "The version's id, which begins with ver_, as list_template_versions tells it.",
  }),
  includeDefinition: includeDefinition.optional(),
});

const output = z.looseObject({
  id: z.string(),
  templateId: z.string(),
  version: z.number(),
  description: z.string(),
  createdAt: z.string(),
  definition: z.looseObject({}).optional(),
  definitionLeftOut: z.looseObject({}).optional(),
});

export function getTemplateVersion({
  templates,
}: Pick<ToolServices, "templates">): Tool {
  return tool({
    name: "get_template_version",
    title: "Read a version of a template",
    description:
      "One version of a template with its definition as it was. To go back to it, give that definition to edit_template.",
    scope: "templates:read",
    input,
    output,
    annotations: READS,
    async run({ caller: { organizationId }, input: asked }) {
      const version = await templates.version(
        organizationId,
        asked.templateId,
        asked.versionId,
      );
      const { definition, ...rest } = version;
      return {
        ...rest,
        ...definitionIfShort(definition, asked.includeDefinition),
      };
    },
  });
}
