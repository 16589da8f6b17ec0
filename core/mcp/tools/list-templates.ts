import { z } from "zod";
import { tool, type Tool } from "../tool.js";
import { DEFAULT_LIMIT, page, pageSize, READS } from "./arguments.js";
import type { ToolServices } from "./services.js";
import { shortText } from "./short-text.js";
import { paginationOutput, templateOutput } from "./template-output.js";

const input = z.strictObject({
  page: page.optional(),
  pageSize: pageSize.optional(),
  q: z.string().optional().meta({
    description: "A part of the name, in upper or lower case.",
  }),
  recentlyUpdated: z.boolean().optional().meta({
    description:
      "True: the last changed first. Otherwise the last created first.",
  }),
});

const output = z.looseObject({
  data: z.array(templateOutput),
  pagination: paginationOutput,
});

export function listTemplates({
  templates,
}: Pick<ToolServices, "templates">): Tool {
  return tool({
    name: "list_templates",
    title: "List templates",
    description:
      "The organization's templates, without definitions and without those in the trash. Look here for what to clone or " +
      "render before you create.",
    scope: "templates:read",
    input,
    output,
    annotations: READS,
    async run({ caller, input: asked }) {
      const { data, pagination } = await templates.list(caller.organizationId, {
        page: asked.page ?? 1,
        pageSize: asked.pageSize ?? DEFAULT_LIMIT,
        q: asked.q,
        recentlyUpdated: asked.recentlyUpdated,
      });
      const short = data.map((one) => ({
        ...one,
        description: shortText(one.description),
      }));
      return { data: short, pagination };
    },
  });
}
