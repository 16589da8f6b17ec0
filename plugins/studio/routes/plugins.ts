import type { AppPlugins, AppRoute } from "../../../core/plugin-api/index.js";
import { jsonRoute } from "./json-route.js";

/** What is installed, for owners. */
export function pluginRoutes(plugins: AppPlugins): AppRoute[] {
  return [
    jsonRoute({
      method: "get",
      path: "/api/plugins",
      access: "owner",
      answer: (visitor) => plugins.list(visitor),
    }),
  ];
}
