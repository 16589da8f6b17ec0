import { z } from "zod";
import { actorOf } from "../call/actor-of.js";
import { tool, type Tool } from "../tool.js";
import { ADDS, templateId } from "./arguments.js";
import type { ToolServices } from "./services.js";
import { templateOutput } from "./template-output.js";

const input = z.strictObject({ templateId });

export function duplicateTemplate({
  templateEditor,
}: Pick<ToolServices, "templateEditor">): Tool {
  return tool({
    name: "duplicate_template",
    title: "Duplicate a template",
    description:
      "A new template with the same definition, type, description and folder, named after the old one. Its history " +
      "begins anew, as version 1. To choose its name or paper, call create_template with cloneTemplateId instead.",
    scope: "templates:write",
    input,
    output: templateOutput,
    annotations: ADDS,
    run: async ({ caller, input: { templateId: id } }) => ({
      ...(await templateEditor.duplicate(caller, id, actorOf(caller))),
    }),
  });
}
