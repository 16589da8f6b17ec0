import { z } from "zod";
import { tool, type Tool } from "../tool.js";
import { limit, offset, READS, templateId } from "./arguments.js";
import type { ToolServices } from "./services.js";
import { shortText } from "./short-text.js";

const DEFAULT_VERSIONS = 50;

const input = z.strictObject({
  templateId,
  limit: limit
    .optional()
    .meta({ description: "How many, 1 to 100. Default 50." }),
  offset: offset.optional(),
});

const output = z.looseObject({
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
    input,
    output,
    annotations: READS,
    async run({ caller: { organizationId }, input: asked }) {
      const all = await templates.versions(organizationId, asked.templateId);
      const from = asked.offset ?? 0;
      const until = from + (asked.limit ?? DEFAULT_VERSIONS);
      const data = all.slice(from, until).map((one) => ({
        ...one,
        description: shortText(one.description),
      }));
      return { data, total: all.length };
    },
  });
}
