import { z } from "zod";
import { actorOf } from "../call/actor-of.js";
import { argumentPaths } from "../call/argument-paths.js";
import { jsonText } from "../call/content.js";
import { listProblems } from "../call/list-problems.js";
import { contentTool, type Tool } from "../tool.js";
import {
  definition,
  description,
  dryRun,
  format,
  isLandscape,
  name,
  templateId,
} from "./arguments.js";
import type { ToolServices } from "./services.js";
import { showDraft } from "./show-draft.js";

const input = z.strictObject({
  templateId,
  name: name.optional().meta({ description: "A new name." }),
  description: description
    .nullable()
    .optional()
    .meta({ description: "A new description; null for none." }),
  definition: definition.optional().meta({
    description:
      "The whole new definition: what it leaves out is gone. A component keeps its id and its collectionId.",
  }),
  format: format.optional(),
  isLandscape: isLandscape.optional(),
  isActive: z.boolean().optional().meta({
    description: "False: it cannot be rendered.",
  }),
  createVersion: z.boolean().optional().meta({
    description:
      "True: keep the definition, as it is after this edit, as a new version.",
  }),
  versionNote: z
    .string()
    .max(10_000, "must be at most 10000 characters long")
    .optional()
    .meta({
      description: "What changed; kept with the version of createVersion.",
    }),
  expectedVersion: z
    .union([z.int(), z.string()], {
      error: "must be an updatedAt or the number of a version.",
    })
    .optional()
    .meta({
      description:
        "The updatedAt that you have read (or the version, if nothing was changed since that version was made). When the " +
        "template was changed since, nothing is done and you are told: nobody's work is overwritten unseen.",
    }),
  dryRun: dryRun.optional(),
});

export function editTemplate(
  services: Pick<ToolServices, "templateEditor" | "draftPreviews">,
): Tool {
  const { templateEditor } = services;
  return contentTool({
    name: "edit_template",
    title: "Edit a template",
    description:
      "Changes what is named and leaves the rest: name, description, paper, definition, isActive. All of one call is " +
      "changed together, or nothing when there is a problem. The definition of documents to come changes at once; " +
      "versions stay as they were made.",
    scope: "templates:write",
    input,
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
    async run({ caller, input: asked, signal }) {
      const { templateId: id, dryRun: isDry, ...edit } = asked;
      if (isDry) {
        const draft = await templateEditor.dryEdit(caller, id, edit);
        return showDraft(services, { caller, signal }, draft);
      }
      const actor = actorOf(caller);
      const edited = await templateEditor.edit(caller, id, edit, actor);
      const warnings = argumentPaths(edited.warnings, Object.keys(input.shape));
      return [jsonText({ ...edited, ...listProblems("warnings", warnings) })];
    },
  });
}
