import { z } from "zod";
import type { TemplateEditor } from "../../templates/index.js";
import { actorOf } from "../actor-of.js";
import { operation, type Operation } from "../operation.js";
import { templateSettings } from "../schemas/template.js";
import {
  madeTemplate,
  templateOrder,
  templateRedefinition,
} from "../schemas/template-order.js";

const params = z.strictObject({
  templateId: z.string().meta({ description: "UUID of the template." }),
});
const one = "/api/templates/:templateId";
const scope = "templates:write";
const tag = "Templates";

/** Make templates, and move them to the trash and back. */
export function templateChangeOperations(editor: TemplateEditor): Operation[] {
  return [
    create(editor),
    redefine(editor),
    duplicate(editor),
    trash(editor),
    restore(editor),
  ];
}

function create(editor: TemplateEditor): Operation {
  return operation({
    id: "createTemplate",
    method: "post",
    path: "/api/templates",
    scope,
    tag,
    summary: "Create a template",
    description:
      "From one of `definition`, `blueprint` and `cloneTemplateId`; from none of them, an empty one. All problems of a " +
      "definition are told at once.",
    body: templateOrder,
    reply: {
      status: 201,
      description: "The template, without its definition.",
      schema: madeTemplate,
    },
    errors: [404, 413],
    handle: async ({ caller, body }) => {
      const made = await editor.create(caller, body, actorOf(caller));
      return { ...made, warnings: [...made.warnings] };
    },
  });
}

function redefine(editor: TemplateEditor): Operation {
  return operation({
    id: "redefineTemplate",
    method: "put",
    path: `${one}/definition`,
    scope,
    tag,
    summary: "Give a template another definition",
    description:
      "It replaces the whole live definition; versions stay as they are. A component that keeps its `id` keeps its " +
      "`collectionId`. All problems are told at once, and then nothing is changed.",
    params,
    body: templateRedefinition,
    reply: {
      description: "The template, without its definition.",
      schema: madeTemplate,
    },
    errors: [404, 409, 413],
    handle: async ({ caller, params: { templateId }, body }) => {
      const actor = actorOf(caller);
      const edited = await editor.edit(caller, templateId, body, actor);
      return { ...edited, warnings: [...edited.warnings] };
    },
  });
}

function duplicate(editor: TemplateEditor): Operation {
  return operation({
    id: "duplicateTemplate",
    method: "post",
    path: `${one}/duplicate`,
    scope,
    tag,
    summary: "Duplicate a template",
    description:
      "The same definition, in the same folder, under a name of its own; its versions begin anew.",
    params,
    reply: {
      status: 201,
      description: "The new template, without its definition.",
      schema: templateSettings,
    },
    errors: [404],
    handle: ({ caller, params: { templateId } }) =>
      editor.duplicate(caller, templateId, actorOf(caller)),
  });
}

function trash(editor: TemplateEditor): Operation {
  return operation({
    id: "deleteTemplate",
    method: "delete",
    path: one,
    scope,
    tag,
    summary: "Move a template to the trash",
    description:
      "There it is neither listed nor rendered; batches that were accepted before are. One that is there stays as it is.",
    params,
    reply: {
      description: "The template, without its definition.",
      schema: templateSettings,
    },
    errors: [404],
    handle: ({ caller, params: { templateId } }) =>
      editor.trash(caller, templateId, actorOf(caller)),
  });
}

function restore(editor: TemplateEditor): Operation {
  return operation({
    id: "restoreTemplate",
    method: "post",
    path: `${one}/restore`,
    scope,
    tag,
    summary: "Take a template out of the trash",
    description: "One that is not there stays as it is.",
    params,
    reply: {
      description: "The template, without its definition.",
      schema: templateSettings,
    },
    errors: [404],
    handle: ({ caller, params: { templateId } }) =>
      editor.restore(caller, templateId, actorOf(caller)),
  });
}
