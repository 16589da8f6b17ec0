import { z } from "zod";
import { blueprintIds } from "../../templates/index.js";
import { TEMPLATE_TYPES } from "../../definition/index.js";
import { actorOf } from "../call/actor-of.js";
import { jsonText } from "../call/content.js";
import { listProblems } from "../call/list-problems.js";
import { contentTool, type Tool } from "../tool.js";
import {
  ADDS,
  definition,
  description,
  dryRun,
  format,
  isLandscape,
  name,
} from "./arguments.js";
import type { ToolServices } from "./services.js";
import { showDraft } from "./show-draft.js";

const input = z.strictObject({
  name: name.meta({ description: "The template's name." }),
  description: description.optional().meta({
    description: "What it is for. Default: that of the blueprint or the clone.",
  }),
  templateType: z.enum(TEMPLATE_TYPES).optional().meta({
    description:
      "Default: that of the blueprint or the clone, or else document.",
    default: "document",
  }),
  definition: definition.optional(),
  blueprint: z
    .string()
    .optional()
    .meta({
      description: `The name of an example template: ${blueprintIds().join(", ")}.`,
    }),
  cloneTemplateId: z
    .string()
    .optional()
    .meta({ description: "A template of the organization, a UUID." }),
  format: format.optional(),
  isLandscape: isLandscape.optional(),
  dryRun: dryRun.optional(),
});

export function createTemplate(
  services: Pick<ToolServices, "templateEditor" | "draftPreviews">,
): Tool {
  const { templateEditor } = services;
  return contentTool({
    name: "create_template",
    title: "Create a template",
    description:
      "A new template from one of definition, blueprint and cloneTemplateId; from none of them, an empty one. Read " +
      "get_template_ast_guide before you write a definition. All problems of a definition are told at once, each with " +
      "its path: mend them all and call again. Then look at it by render_document with isTest: true.",
    scope: "templates:write",
    input,
    annotations: ADDS,
    async run({ caller, input: { dryRun: isDry, ...order }, signal }) {
      if (isDry) {
        const draft = await templateEditor.dryCreate(caller, order);
        return showDraft(services, { caller, signal }, draft);
      }
      const actor = actorOf(caller);
      const made = await templateEditor.create(caller, order, actor);
      return [
        jsonText({ ...made, ...listProblems("warnings", made.warnings) }),
      ];
    },
  });
}
