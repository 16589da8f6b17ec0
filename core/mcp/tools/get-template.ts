import { z } from "zod";
import { tool, type Tool } from "../tool.js";
import type { ToolServices } from "./services.js";

const input = z.strictObject({
  templateId: z.string().meta({ description: "The template's id, a UUID." }),
  typeOnly: z
    .boolean()
    .optional()
    .meta({ description: "True: answer with the id and the type alone." }),
  includeDefinition: z.boolean().optional().meta({
    description:
      "True: with the definition, however long. Left out: with it unless it is very long.",
  }),
});

const output = z.looseObject({
  id: z.string(),
  templateType: z.enum(["document", "email"]),
  name: z.string().optional(),
  version: z.number().optional(),
  definition: z.looseObject({}).optional(),
});

/** Characters of JSON, about 12,000 tokens: clients cut off an answer at some 25,000. */
const longDefinition = 48_000;

export function getTemplate({
  templates,
}: Pick<ToolServices, "templates">): Tool {
  return tool({
    name: "get_template",
    title: "Read a template",
    description:
      "A template's settings and its definition; one in the trash too. The definition is what edit_template takes.",
    scope: "templates:read",
    input,
    output,
    annotations: {
      readOnlyHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    async run({ caller: { organizationId }, input: asked }) {
      const { templateId, typeOnly, includeDefinition } = asked;
      if (typeOnly) return templates.typeOf(organizationId, templateId);
      const template = await templates.get(organizationId, templateId);
      const { definition, ...settings } = template;
      const isWanted =
        includeDefinition ??
        JSON.stringify(definition).length <= longDefinition;
      return isWanted ? template : settings;
    },
  });
}
