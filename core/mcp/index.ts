// The MCP server. It translates between the Model Context Protocol and the capabilities and makes no decisions itself:
// a tool makes the same calls as REST.
//
// A tool is an entry of the list in a file of tools/: `tool({ ... })`, whose result is an object, or
// `contentTool({ ... })`, whose result is content blocks (text, images, links). Its name, title, description, scope,
// input, output and annotations are stated once; listing, validation and results derive from them.
//   - `input` is a module-level `z.strictObject`, each argument with a description. Invalid arguments are rejected with
//     all problems and never reach `run`.
//   - `run` receives `{ caller, input, progress, signal, log }`, passes `caller.organizationId` to a capability and
//     returns its result. It throws PlatenErrors: the assistant reads their problems, paths and hints.
//   - Text written by users (names, data) belongs in the fields of a result, never in a description.
// Its services are in tools/shared.ts. Resources (resources.ts) and prompts (prompts.ts)
// work the same way, with `Resource` and `Prompt`.
export {
  pictureBlock,
  textBlock,
  contentTool,
  type Progress,
  tool,
  type Tool,
} from "./tool.js";
export { HttpTransport } from "./transports/http.js";
export { type Prompt, createPrompts } from "./prompts.js";
export { type Resource, createResources } from "./resources.js";
export { ToolServer } from "./server.js";
export { serveStdio } from "./transports/stdio.js";
export { LOCAL_FILES, TOOLS } from "./tool-server.js";
