import type { AppRoute, AppUsage } from "../../../core/contract/index.js";
import { visitorOf } from "./sessions.js";

/** What was made on each day of a month; of this one, when the query says none. */
export function usageRoutes(usage: AppUsage): AppRoute[] {
  return [
    {
      method: "get",
      path: "/api/usage",
      access: "viewer",
      handle: async (request) => {
        const month = monthOf(request.query.get("month"));
        const days = await usage.days(visitorOf(request), month);
        return { json: { month, days } };
      },
    },
  ];
}

function monthOf(asked: string | null): string {
  if (asked !== null && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(asked)) return asked;
  return new Date().toISOString().slice(0, 7);
}
