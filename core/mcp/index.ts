// The doorway for assistants: the Model Context Protocol in, the service's rooms behind. Translates and decides nothing;
// what a tool does, REST does by the same call.
//
// A tool is a file of tools/: a function that is handed the services it needs and returns `tool({ ... })`, whose answer
// is an object, or `contentTool({ ... })`, whose answer is content blocks (text, pictures, links). It tells its name,
// title, description, scope, input, output and annotations once; the list, the checks and the answers are made from that.
//   - `input` is a `z.strictObject` made in the module, each argument with a description. Arguments arrive checked; a
//     wrong one was answered with all problems, and never reaches `run`.
//   - `run` gets `{ caller, input, progress, signal, log }`, passes `caller.organizationId` to a room and returns what
//     that says. It throws PlatenError as the rooms do: the assistant reads its problems, paths and hints.
//   - What others have written (names, data, texts) stands in the fields of an answer, never in a description.
// Then it is added to tools/index.ts, and what it opens onto to tools/services.ts and core/join-mcp.ts.
// Resources (resources/) and prompts (prompts/) are told the same way, by `Resource` and `Prompt`.
export { callWitness } from "./call-tool.js";
export {
  jsonText,
  pictureBlock,
  resourceLink,
  textBlock,
  type Session,
  contentTool,
  type Progress,
  tool,
  type Tool,
  type ToolCall,
} from "./tool.js";
export {
  type DoorParts,
  openDoor,
  type ToolServerDoor,
} from "./transports/http.js";
export { type Prompt, createPrompts } from "./prompts.js";
export { type Resource, createResources } from "./resources.js";
export { type ToolServerParts, ToolServer } from "./server.js";
export { serveStdio, type StdioParts } from "./transports/stdio.js";
export { createTools, type ToolServices } from "./tools/index.js";
