import type Koa from "koa";
import { createToken } from "../lib/tokens.js";
import type { HttpServices, HttpState, MountedApp } from "./index.js";

/** Plugins with pages. */
export const APPS = createToken<readonly MountedApp[]>("apps");
/** Throws PlatenError `unavailable` while the service cannot render. */
export const READINESS_CHECK =
  createToken<HttpServices["isReady"]>("readiness check");
/** The MCP server, which answers its paths itself. */
export const TOOL_SERVER_MOUNT = createToken<HttpServices["toolServer"]>(
  "mount of the tool server",
);
export const HTTP_APP = createToken<Koa<HttpState>>("HTTP app");
