import type { AppDrafts, AppRoute } from "../../../core/contract/index.js";
import { flag, note, text, whole } from "./draft-fields.js";
import { valueOf } from "./field.js";
import { visitorOf } from "./sessions.js";

/** A definition of 2 MiB, and what stands around it. */
const maxBytes = 3 * 1024 * 1024;

/** A template's draft: whoever may look at templates sees it, whoever may write them changes it. */
export function draftRoutes(drafts: AppDrafts): AppRoute[] {
  return [...readRoutes(drafts), saveRoute(drafts), ...endRoutes(drafts)];
}

function readRoutes(drafts: AppDrafts): AppRoute[] {
  return [
    {
      method: "get",
      path: "/api/drafts/:templateId",
      access: "viewer",
      handle: async (request) => {
        const { templateId = "" } = request.params;
        return { json: await drafts.open(visitorOf(request), templateId) };
      },
    },
    {
      method: "get",
      path: "/api/drafts/:templateId/revision",
      access: "viewer",
      handle: async (request) => {
        const { templateId = "" } = request.params;
        return { json: await drafts.pulse(visitorOf(request), templateId) };
      },
    },
    {
      method: "get",
      path: "/api/drafts/:templateId/payloads",
      access: "editor",
      handle: async (request) => {
        const { templateId = "" } = request.params;
        const visitor = visitorOf(request);
        return {
          json: { payloads: await drafts.recentPayloads(visitor, templateId) },
        };
      },
    },
  ];
}

function saveRoute(drafts: AppDrafts): AppRoute {
  return {
    method: "put",
    path: "/api/drafts/:templateId",
    access: "editor",
    maxBytes,
    handle: async (request) => {
      const { templateId = "" } = request.params;
      const { body } = request;
      const saved = await drafts.save(visitorOf(request), templateId, {
        definition: valueOf(body, "definition"),
        expectedRevision: whole(valueOf(body, "expectedRevision")),
        base: text(body, "base"),
      });
      return { json: saved };
    },
  };
}

function endRoutes(drafts: AppDrafts): AppRoute[] {
  return [
    {
      method: "delete",
      path: "/api/drafts/:templateId",
      access: "editor",
      handle: async (request) => {
        const { templateId = "" } = request.params;
        const revision = whole(request.query.get("expectedRevision"));
        const visitor = visitorOf(request);
        return { json: await drafts.discard(visitor, templateId, revision) };
      },
    },
    {
      method: "post",
      path: "/api/drafts/:templateId/publish",
      access: "editor",
      handle: async (request) => {
        const { templateId = "" } = request.params;
        const { body } = request;
        const published = await drafts.publish(visitorOf(request), templateId, {
          expectedRevision: whole(valueOf(body, "expectedRevision")),
          createVersion: flag(body, "createVersion"),
          versionNote: note(body, "versionNote"),
        });
        return { json: published };
      },
    },
  ];
}
