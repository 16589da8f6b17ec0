import { createToken } from "../lib/tokens.js";
import type { HttpTransport, Tool, ToolServer } from "./index.js";

/** What assistants may call. */
export const TOOLS = createToken<readonly Tool[]>("tools");
export const TOOL_SERVER = createToken<ToolServer>("ToolServer");
export const TOOL_SERVER_TRANSPORT = createToken<HttpTransport>(
  "HTTP transport of the tool server",
);
/** The folder from which assistants may upload files; `root` is null when they run elsewhere. */
export const LOCAL_FILES = createToken<{ root: string | null }>("local files");
