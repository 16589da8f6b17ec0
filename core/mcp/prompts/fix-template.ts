import type { PromptMessage } from "@modelcontextprotocol/server";
import type { TemplateView } from "../../templates/index.js";
import type { Prompt } from "../prompt.js";
import { templateIds } from "../template-ids.js";
import type { PromptServices } from "./index.js";
import { task, wishes } from "./user-message.js";

export function fixTemplate({ templates }: PromptServices): Prompt {
  return {
    name: "fix_template",
    title: "Mend a template",
    description: "Finds out what is wrong with a template, and mends it.",
    scope: "templates:write",
    args: {
      templateId: {
        description: "The template's id.",
        isRequired: true,
        complete: (session, typed) => templateIds(templates, session, typed),
      },
      problem: { description: "What is wrong with it, in your words." },
    },
    async messages({ caller }, given) {
      const id = given["templateId"] ?? "";
      const template = await templates.get(caller.organizationId, id);
      return [
        task(
          "Mend this template.",
          "1. Read the guide with get_template_ast_guide.",
          '2. Render it with render_document, isTest: true and preview: "all", with data of the shape that its definition reads, and look at it.',
          "3. Find the cause in the definition. Change nothing else, and keep every collectionId.",
          "4. Check the change with edit_template and dryRun: true, then save it with createVersion: true and a versionNote that says what was mended.",
          "5. Render and look again. Then tell me what was wrong and what you changed.",
        ),
        wishes(given),
        attached(template),
      ];
    },
  };
}

/** The template as its resource has it, so that nobody has to read it first. */
function attached(template: TemplateView): PromptMessage {
  return {
    role: "user",
    content: {
      type: "resource",
      resource: {
        uri: `platen://templates/${template.id}`,
        mimeType: "application/json",
        text: JSON.stringify(template),
      },
    },
  };
}
