import {
  type AppAudit,
  type AppRoute,
  AUDIT_ACTIONS,
} from "../../../core/plugin-api/index.js";
import { jsonRoute } from "./json-route.js";
import { sliceOf } from "./slice.js";

/** What was done in the organization, for its owners. What a query gets wrong counts as not said. */
export function auditRoutes(audit: AppAudit): AppRoute[] {
  return [
    jsonRoute({
      method: "get",
      path: "/api/audit",
      access: "owner",
      answer: (visitor, { query }) => {
        const action = AUDIT_ACTIONS.find((one) => one === query.get("action"));
        return audit.list(visitor, {
          ...sliceOf(query),
          action: action ?? null,
          userId: query.get("userId"),
          from: momentOf(query.get("from")),
          until: momentOf(query.get("until")),
        });
      },
    }),
  ];
}

function momentOf(said: string | null): Date | null {
  const time = new Date(said ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}
