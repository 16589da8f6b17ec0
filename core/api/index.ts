// The REST API. It translates between HTTP and the capabilities and makes no decisions itself, so that batches, tools and
// tests get the same behavior.
export {
  HTTP_APP,
  READINESS_CHECK,
  TOOL_SERVER_MOUNT,
  type HttpServer,
  startHttpServer,
} from "./app.js";
export { APPS, type MountedApp } from "./apps.js";
export type { HttpState } from "./middleware.js";
