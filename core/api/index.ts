// The REST doorway: requests in, answers out. Translates and decides nothing; what is decided in the other rooms, a
// batch, a tool or a test gets just the same.
export { createApp, type HttpServices } from "./app.js";
export type { MountedApp } from "./apps.js";
export { type HttpServer, startHttpServer } from "./server.js";
export type { HttpState } from "./context.js";
