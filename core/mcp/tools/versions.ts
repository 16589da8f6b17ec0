import { z } from "zod";
import { tool, type Tool } from "../tool.js";
import {
  limitInput,
  offsetInput,
  readOnlyHints,
  templateIdInput,
  type ToolServices,
  truncate,
  includeDefinitionInput,
  definitionIfShort,
} from "./shared.js";

const defaultVersionLimit = 50;

const listInput = z.strictObject({
  templateId: templateIdInput,
  limit: limitInput
    .optional()
    .meta({ description: "How many, 1 to 100. Default 50." }),
  offset: offsetInput.optional(),
});

const listOutput = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      version: z.number(),
      description: z.string(),
      createdAt: z.string(),
    }),
  ),
  total: z.number(),
});

export function listTemplateVersions({
  templates,
}: Pick<ToolServices, "templates">): Tool {
  return tool({
    name: "list_template_versions",
    title: "List a template's versions",
    description:
      "The versions that were made of a template, the newest first, without their definitions. Each is kept as it was: " +
      "get_template_version reads one, and render_document with templateVersion renders it.",
    scope: "templates:read",
    input: listInput,
    output: listOutput,
    annotations: readOnlyHints,
    async run({ caller: { organizationId }, input: asked }) {
      const all = await templates.versions(organizationId, asked.templateId);
      const from = asked.offset ?? 0;
      const until = from + (asked.limit ?? defaultVersionLimit);
      const data = all.slice(from, until).map((one) => ({
        ...one,
        description: truncate(one.description),
      }));
      return { data, total: all.length };
    },
  });
}

const getInput = z.strictObject({
  templateId: templateIdInput,
  versionId: z.string().meta({
    description:
      "The version's id, which starts with ver_, as list_template_versions returns it.",
  }),
  includeDefinition: includeDefinitionInput.optional(),
});

const getOutput = z.looseObject({
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
    input: getInput,
    output: getOutput,
    annotations: readOnlyHints,
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
