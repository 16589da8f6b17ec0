import {
  type AppBatches,
  type AppDocuments,
  type AppRoute,
  type AppServices,
  type AppTemplates,
  DOCUMENT_STATUSES,
  TEMPLATE_SHOWS,
} from "../../../core/contract/index.js";
import { visitorOf } from "./sessions.js";
import { sliceOf } from "./slice.js";

/** Lists as the pages show them. What a query gets wrong counts as not said: a person may have typed an address. */
export function listRoutes(services: AppServices): AppRoute[] {
  const { templates, documents, batches } = services;
  return [
    templateRoute(templates),
    documentRoute(documents),
    batchRoute(batches),
  ];
}

function templateRoute(templates: AppTemplates): AppRoute {
  return {
    method: "get",
    path: "/api/templates",
    access: "viewer",
    handle: async (request) => {
      const { query } = request;
      const show = TEMPLATE_SHOWS.find((one) => one === query.get("show"));
      return {
        json: await templates.list(visitorOf(request), {
          ...sliceOf(query),
          q: query.get("q")?.trim() ?? "",
          show: show ?? "all",
          folderId: query.get("folderId"),
        }),
      };
    },
  };
}

function documentRoute(documents: AppDocuments): AppRoute {
  return {
    method: "get",
    path: "/api/documents",
    access: "viewer",
    handle: async (request) => {
      const { query } = request;
      const wanted = query.getAll("status");
      return {
        json: await documents.list(visitorOf(request), {
          ...sliceOf(query),
          statuses: DOCUMENT_STATUSES.filter((one) => wanted.includes(one)),
          templateId: query.get("templateId"),
          batchId: query.get("batchId"),
        }),
      };
    },
  };
}

function batchRoute(batches: AppBatches): AppRoute {
  return {
    method: "get",
    path: "/api/batches",
    access: "viewer",
    handle: async (request) => ({
      json: await batches.list(visitorOf(request), {
        ...sliceOf(request.query),
        batchId: request.query.get("batchId"),
      }),
    }),
  };
}
