import { z } from "zod";
import type { Templates } from "../../templates/index.js";
import { operation, type Operation } from "../operation.js";
import {
  templateVersionDetail,
  templateVersionListItem,
} from "../schemas/template.js";

const templateId = z.string().meta({ description: "UUID of the template." });
const versionId = z.string().meta({ description: "Begins with `ver_`." });

/** Read the snapshots of a template. */
export function templateVersionOperations(templates: Templates): Operation[] {
  return [list(templates), read(templates)];
}

function list(templates: Templates): Operation {
  return operation({
    id: "listTemplateVersions",
    method: "get",
    path: "/api/templates/:templateId/versions",
    scope: "templates:read",
    tag: "Templates",
    summary: "List a template's versions",
    description: "All of them, the newest first; an array without pages.",
    params: z.strictObject({ templateId }),
    reply: {
      description: "The versions.",
      schema: z.array(templateVersionListItem),
    },
    errors: [404],
    handle: ({ caller, params }) =>
      templates.versions(caller.organizationId, params.templateId),
  });
}

function read(templates: Templates): Operation {
  return operation({
    id: "getTemplateVersion",
    method: "get",
    path: "/api/templates/:templateId/:versionId",
    scope: "templates:read",
    tag: "Templates",
    summary: "Read a version",
    description: "With its definition, which never changes.",
    params: z.strictObject({ templateId, versionId }),
    reply: { description: "The version.", schema: templateVersionDetail },
    errors: [404],
    handle: ({ caller, params }) =>
      templates.version(
        caller.organizationId,
        params.templateId,
        params.versionId,
      ),
  });
}
