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
export { callWitness } from "./call/call-witness.js";
export {
  jsonText,
  pictureBlock,
  resourceLink,
  textBlock,
} from "./call/content.js";
export { type DoorParts, openDoor } from "./door/open-door.js";
export type { ToolServerDoor } from "./door/tool-server-door.js";
export type { Prompt } from "./prompt.js";
export { createPrompts } from "./prompts/index.js";
export type { Resource } from "./resource.js";
export { createResources } from "./resources/index.js";
export { type ToolServerParts, ToolServer } from "./server/tool-server.js";
export { serveStdio, type StdioParts } from "./stdio/serve-stdio.js";
export type { Session } from "./session.js";
export {
  contentTool,
  type Progress,
  tool,
  type Tool,
  type ToolCall,
} from "./tool.js";
export { createTools, type ToolServices } from "./tools/index.js";
