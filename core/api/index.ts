// The REST API. It translates between HTTP and the capabilities and makes no decisions itself, so that batches, tools and
// tests get the same behavior.
export {
  HTTP_APP,
  READINESS_CHECK,
  TOOL_SERVER_MOUNT,
  type HttpServer,
  startHttpServer,
} from "./app.js";
export { type Changes, CHANGES } from "./routes/studio/lists.js";
