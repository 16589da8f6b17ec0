import { z } from "zod";
import { actorOf } from "../call/actor-of.js";
import { tool, type Tool } from "../tool.js";
import { templateId, TRASHES } from "./arguments.js";
import type { ToolServices } from "./services.js";
import { templateOutput } from "./template-output.js";

const input = z.strictObject({ templateId });

export function deleteTemplate({
  templateEditor,
}: Pick<ToolServices, "templateEditor">): Tool {
  return tool({
    name: "delete_template",
    title: "Move a template to the trash",
    description:
      "Moves a template to the trash: it is no longer listed and cannot be rendered, but nothing of it is lost: people " +
      "take it out again over REST, and create_template can clone it. " +
      "Documents that were made of it stay. Doing it twice is no error.",
    scope: "templates:write",
    input,
    output: templateOutput,
    annotations: TRASHES,
    run: async ({ caller, input: { templateId: id } }) => ({
      ...(await templateEditor.trash(caller, id, actorOf(caller))),
    }),
  });
}
