import type { Templates } from "../../document/index.js";

/** What the tools open onto; joined in core/join-mcp.ts. */
export interface ToolServices {
  templates: Templates;
}
