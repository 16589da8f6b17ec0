import type { AppRoute, AppUsage } from "../../../core/plugin-api/index.js";
import { jsonRoute } from "./json-route.js";

/** What was made on each day of a month; of this one, when the query says none. */
export function usageRoutes(usage: AppUsage): AppRoute[] {
  return [
    jsonRoute({
      method: "get",
      path: "/api/usage",
      access: "viewer",
      answer: async (visitor, { query }) => {
        const month = monthOf(query.get("month"));
        return { month, days: await usage.days(visitor, month) };
      },
    }),
  ];
}

function monthOf(asked: string | null): string {
  if (asked !== null && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(asked)) return asked;
  return new Date().toISOString().slice(0, 7);
}
