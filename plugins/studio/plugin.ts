import { basename, join } from "node:path";
import { type AppPlugin, PLUGIN_API } from "../../core/plugin-api/index.js";
import { authorizationRoutes } from "./routes/authorizations.js";
import { designRoutes, draftRoutes, fieldRoutes } from "./routes/drafts.js";
import {
  assistantRoutes,
  auditRoutes,
  keyRoutes,
  peopleRoutes,
  pluginRoutes,
} from "./routes/administration.js";
import { eventRoutes, listRoutes, usageRoutes } from "./routes/lists.js";
import { sessionRoutes, signInRoutes } from "./routes/sign-in.js";
import { wizardRoutes } from "./routes/wizard.js";

/** The pages are in the build folder, whether this file runs from there or from the sources. */
function getPagesFolder(): string {
  const root = join(import.meta.dirname, "../..");
  const build = basename(root) === "dist" ? root : join(root, "dist");
  return join(build, "studio");
}

/** The web app of the service. Its pages use the public API where possible, and these routes for the rest. */
export const studioPlugin: AppPlugin = {
  meta: {
    kind: "app",
    id: "studio",
    title: "Studio",
    version: "1.0.0",
    api: PLUGIN_API,
    platen: "*",
  },
  open: (services) => ({
    files: { folder: getPagesFolder(), hashed: "assets" },
    routes: [
      ...signInRoutes(services),
      ...sessionRoutes(services),
      ...keyRoutes(services.keys),
      ...assistantRoutes(services.assistants),
      ...listRoutes(services),
      ...eventRoutes(services.changes),
      ...usageRoutes(services.usage),
      ...auditRoutes(services.audit),
      ...peopleRoutes(services.people),
      ...pluginRoutes(services.plugins),
      ...designRoutes(services.drafts),
      ...draftRoutes(services.drafts),
      ...fieldRoutes(services.fields),
      ...wizardRoutes(services.wizard),
      ...authorizationRoutes(services.authorizations),
    ],
  }),
};
