import type { Usage, Visitor } from "../../../accounts/index.js";
import type { BatchLog } from "../../../batches/index.js";
import {
  DOCUMENT_STATUSES,
  type DocumentLog,
} from "../../../documents/index.js";
import { createToken } from "../../../lib/injection.js";
import {
  type TemplateGallery,
  TEMPLATE_FILTERS,
} from "../../../templates/index.js";
import { clock, PlatenError } from "../../../plugin-api/index.js";
import type { AppRoute } from "./router.js";
import { memberRoute, parsePage, parseQueryTime, viewer } from "./request.js";

/** Lists for the pages. Invalid query parameters are ignored, since a person may have typed the URL. */
export function listRoutes(
  templates: TemplateGallery,
  documents: DocumentLog,
  batches: BatchLog,
): AppRoute[] {
  return [
    viewer.get("/api/templates", (visitor, { query }) => {
      const show = TEMPLATE_FILTERS.find(
        (filter) => filter === query.get("show"),
      );
      return templates.list(visitor.organizationId, {
        ...parsePage(query),
        q: query.get("q")?.trim() ?? "",
        show: show ?? "all",
        folderId: query.get("folderId"),
      });
    }),
    viewer.get(
      "/api/templates/:templateId",
      async (visitor, { params: { templateId = "" } }) => ({
        hasUnpublishedChanges: await templates.isChanged(
          visitor.organizationId,
          templateId,
        ),
      }),
    ),
    viewer.get("/api/documents", (visitor, { query }) => {
      const wanted = query.getAll("status");
      return documents.list(visitor.organizationId, {
        ...parsePage(query),
        statuses: DOCUMENT_STATUSES.filter((status) => wanted.includes(status)),
        templateId: query.get("templateId"),
        batchId: query.get("batchId"),
        q: query.get("q")?.trim().slice(0, 200) ?? "",
        from: parseQueryTime(query.get("from")),
        until: parseQueryTime(query.get("until")),
      });
    }),
    viewer.get(
      "/api/batches/:batchId/failures",
      (visitor, { params: { batchId = "" } }) =>
        documents.failures(visitor.organizationId, batchId),
    ),
    viewer.get("/api/batches", (visitor, { query }) =>
      batches.list(visitor.organizationId, {
        ...parsePage(query),
        batchId: query.get("batchId"),
      }),
    ),
  ];
}

/** Tells open pages when to load again what they show. */
export interface Changes {
  /**
   * Yields the topics that changed, about a second later and whichever process changed them; first none, once it watches.
   * What belongs to another organization does not change. Topics are `documents`, `batches`, `batch:<id>`, `webhook:<id>`
   * (an endpoint with its deliveries) and `draft:<template's id>`.
   */
  watch(
    visitor: Visitor,
    topics: readonly string[],
    signal: AbortSignal,
  ): AsyncIterable<readonly string[]>;
}

/** Implemented by core/app, since entry points read no rows. */
export const CHANGES = createToken<Changes>("changes");

const topic = /^(?:documents|batches|(?:batch|webhook|draft):[\w-]{1,80})$/;
const maxTopics = 10;

/** One stream for everything that a page shows: the topics that changed, as server-sent events. */
export function eventRoutes(changes: Changes): AppRoute[] {
  return [
    memberRoute("get", "/api/events", "viewer", async (visitor, { query }) => {
      const topics = [...new Set(query.getAll("watch"))];
      const isValid = topics.every((name) => topic.test(name));
      if (!isValid || topics.length === 0 || topics.length > maxTopics)
        throw new PlatenError(
          "invalid_request",
          `Invalid query: \`watch\` must be one to ${maxTopics} topics, such as documents or batch:<id>.`,
        );
      return { events: (signal) => changes.watch(visitor, topics, signal) };
    }),
  ];
}

/** Documents per day of a month, by default the current one. */
export function usageRoutes(usage: Usage): AppRoute[] {
  return [
    viewer.get("/api/usage", async (visitor, { query }) => {
      const month = parseMonth(query.get("month"));
      return {
        month,
        days: await usage.listDays(visitor.organizationId, month),
      };
    }),
  ];
}

function parseMonth(text: string | null): string {
  if (text !== null && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) return text;
  return clock.date().toISOString().slice(0, 7);
}
