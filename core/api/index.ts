// The REST API. It translates between HTTP and the capabilities and makes no decisions itself, so that batches, tools and
// tests get the same behavior.
export { createApp, type HttpServices } from "./app.js";
export type { MountedApp } from "./apps.js";
export { type HttpServer, startHttpServer } from "./server.js";
export type { HttpState } from "./context.js";
