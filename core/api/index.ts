// The REST API. It translates between HTTP and the capabilities and makes no decisions itself, so that batches, tools and
// tests get the same behavior.
export {
  createApp,
  type HttpServices,
  type HttpServer,
  startHttpServer,
} from "./app.js";
export type { MountedApp } from "./apps.js";
export type { HttpState } from "./middleware.js";
