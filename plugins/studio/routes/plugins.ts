import type { AppPlugins, AppRoute } from "../../../core/contract/index.js";
import { visitorOf } from "./sessions.js";

/** What is installed, for owners. */
export function pluginRoutes(plugins: AppPlugins): AppRoute[] {
  return [
    {
      method: "get",
      path: "/api/plugins",
      access: "owner",
      handle: async (request) => ({
        json: await plugins.list(visitorOf(request)),
      }),
    },
  ];
}
