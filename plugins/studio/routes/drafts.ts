import type { AppDrafts, AppRoute } from "../../../core/plugin-api/index.js";
import { flag, note, text, whole } from "./draft-fields.js";
import { valueOf } from "./field.js";
import { jsonRoute } from "./json-route.js";

/** A definition of 2 MiB, and what stands around it. */
const maxBytes = 3 * 1024 * 1024;

const one = "/api/drafts/:templateId";

/** A template's draft: whoever may look at templates sees it, whoever may write them changes it. */
export function draftRoutes(drafts: AppDrafts): AppRoute[] {
  return [...readRoutes(drafts), saveRoute(drafts), ...endRoutes(drafts)];
}

function readRoutes(drafts: AppDrafts): AppRoute[] {
  return [
    jsonRoute({
      method: "get",
      path: one,
      access: "viewer",
      answer: (visitor, { params: { templateId = "" } }) =>
        drafts.open(visitor, templateId),
    }),
    jsonRoute({
      method: "get",
      path: `${one}/revision`,
      access: "viewer",
      answer: (visitor, { params: { templateId = "" } }) =>
        drafts.pulse(visitor, templateId),
    }),
    jsonRoute({
      method: "get",
      path: `${one}/payloads`,
      access: "editor",
      answer: async (visitor, { params: { templateId = "" } }) => ({
        payloads: await drafts.recentPayloads(visitor, templateId),
      }),
    }),
  ];
}

function saveRoute(drafts: AppDrafts): AppRoute {
  return jsonRoute({
    method: "put",
    path: one,
    access: "editor",
    maxBytes,
    answer: async (visitor, { body, params: { templateId = "" } }) =>
      drafts.save(visitor, templateId, {
        definition: valueOf(body, "definition"),
        expectedRevision: whole(valueOf(body, "expectedRevision")),
        base: text(body, "base"),
      }),
  });
}

function endRoutes(drafts: AppDrafts): AppRoute[] {
  return [
    jsonRoute({
      method: "delete",
      path: one,
      access: "editor",
      answer: async (visitor, { query, params: { templateId = "" } }) => {
        const revision = whole(query.get("expectedRevision"));
        return drafts.discard(visitor, templateId, revision);
      },
    }),
    jsonRoute({
      method: "post",
      path: `${one}/publish`,
      access: "editor",
      answer: async (visitor, { body, params: { templateId = "" } }) =>
        drafts.publish(visitor, templateId, {
          expectedRevision: whole(valueOf(body, "expectedRevision")),
          createVersion: flag(body, "createVersion"),
          versionNote: note(body, "versionNote"),
        }),
    }),
  ];
}
