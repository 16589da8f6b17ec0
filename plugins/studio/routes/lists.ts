import {
  type AppBatches,
  type AppDocuments,
  type AppRoute,
  type AppServices,
  type AppTemplates,
  DOCUMENT_STATUSES,
  TEMPLATE_SHOWS,
} from "../../../core/plugin-api/index.js";
import { jsonRoute } from "./json-route.js";
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
  return jsonRoute({
    method: "get",
    path: "/api/templates",
    access: "viewer",
    answer: (visitor, { query }) => {
      const show = TEMPLATE_SHOWS.find((one) => one === query.get("show"));
      return templates.list(visitor, {
        ...sliceOf(query),
        q: query.get("q")?.trim() ?? "",
        show: show ?? "all",
        folderId: query.get("folderId"),
      });
    },
  });
}

function documentRoute(documents: AppDocuments): AppRoute {
  return jsonRoute({
    method: "get",
    path: "/api/documents",
    access: "viewer",
    answer: (visitor, { query }) => {
      const wanted = query.getAll("status");
      return documents.list(visitor, {
        ...sliceOf(query),
        statuses: DOCUMENT_STATUSES.filter((one) => wanted.includes(one)),
        templateId: query.get("templateId"),
        batchId: query.get("batchId"),
      });
    },
  });
}

function batchRoute(batches: AppBatches): AppRoute {
  return jsonRoute({
    method: "get",
    path: "/api/batches",
    access: "viewer",
    answer: (visitor, { query }) =>
      batches.list(visitor, {
        ...sliceOf(query),
        batchId: query.get("batchId"),
      }),
  });
}
