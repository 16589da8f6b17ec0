import { z } from "zod";
import type { Templates } from "../../templates/index.js";
import { actorOf } from "../actor-of.js";
import { operation, type Operation } from "../operation.js";
import { pagination } from "../schemas/common.js";
import { booleanWord, pageOf, pageQuery } from "../schemas/query.js";
import {
  templateDetail,
  templateListItem,
  templatePatch,
  templateSettings,
  templateTypeOnly,
} from "../schemas/template.js";

const templateParams = z.strictObject({
  templateId: z.string().meta({ description: "UUID of the template." }),
});

const listQuery = z.strictObject({
  ...pageQuery,
  q: z.string().optional().meta({
    description: "A part of the name, in upper or lower case.",
    example: "invoice",
  }),
  recentlyUpdated: booleanWord.optional().meta({
    description:
      "True: the last changed first; otherwise the last created first.",
  }),
});

/** Read templates, and change what is not their definition. */
export function templateOperations(templates: Templates): Operation[] {
  return [list(templates), read(templates), change(templates)];
}

function list(templates: Templates): Operation {
  return operation({
    id: "listTemplates",
    method: "get",
    path: "/api/templates",
    scope: "templates:read",
    tag: "Templates",
    summary: "List templates",
    description: "Those in the trash are left out.",
    query: listQuery,
    reply: {
      description: "A page of templates.",
      schema: z.strictObject({ data: z.array(templateListItem), pagination }),
    },
    handle: ({ caller, query: { q, recentlyUpdated, ...page } }) =>
      templates.list(caller.organizationId, {
        ...pageOf(page),
        q,
        recentlyUpdated,
      }),
  });
}

function read(templates: Templates): Operation {
  return operation({
    id: "getTemplate",
    method: "get",
    path: "/api/templates/:templateId",
    scope: "templates:read",
    tag: "Templates",
    summary: "Read a template",
    description: "With its definition; one in the trash too.",
    params: templateParams,
    query: z.strictObject({
      typeOnly: booleanWord
        .optional()
        .meta({ description: "True: only `id` and `templateType`." }),
    }),
    reply: {
      description: "The template.",
      schema: z.union([templateDetail, templateTypeOnly]),
    },
    errors: [404],
    handle: async ({ caller, params: { templateId }, query }) =>
      query.typeOnly
        ? templates.typeOf(caller.organizationId, templateId)
        : templates.get(caller.organizationId, templateId),
  });
}

function change(templates: Templates): Operation {
  return operation({
    id: "updateTemplate",
    method: "patch",
    path: "/api/templates/:templateId",
    scope: "templates:write",
    tag: "Templates",
    summary: "Change a template's settings",
    description:
      "What is left out stays as it is. The definition cannot be changed here; `createVersion` freezes it as it is.",
    params: templateParams,
    body: templatePatch,
    reply: {
      description: "The template, without its definition.",
      schema: templateSettings,
    },
    errors: [404, 413],
    handle: ({ caller, params, body }) =>
      templates.patch(caller, params.templateId, body, actorOf(caller)),
  });
}
