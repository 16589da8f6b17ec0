import { randomBytes } from "node:crypto";
import type { DependencyContainer } from "tsyringe";
import { endedKeys } from "../accounts/index.js";
import { make } from "./make.js";
import {
  createCallMetrics,
  createPrompts,
  createResources,
  createTools,
  createHttpTransport,
  ToolServer,
} from "../mcp/index.js";
import * as t from "./tokens.js";

/** The doorway for assistants. */
export function joinMcp(container: DependencyContainer): void {
  make(container, t.LOCAL_FILES, () => ({ root: null }));
  joinTools(container);
  joinToolServer(container);
  joinDoor(container);
}

function joinTools(container: DependencyContainer): void {
  make(container, t.TOOLS, (c) =>
    createTools({
      templates: c.resolve(t.TEMPLATES),
      templateEditor: c.resolve(t.TEMPLATE_EDITOR),
      draftPreviews: c.resolve(t.DRAFT_PREVIEWS),
      documents: c.resolve(t.DOCUMENTS),
      renderDocument: c.resolve(t.RENDER_DOCUMENT),
      renderTimeoutMs: c.resolve(t.CONFIG).render.timeoutMs,
      assets: c.resolve(t.ASSETS),
      assetRoot: c.resolve(t.LOCAL_FILES).root,
    }),
  );
}

function joinToolServer(container: DependencyContainer): void {
  make(container, t.TOOL_SERVER, (c) => {
    const services = {
      templates: c.resolve(t.TEMPLATES),
      documents: c.resolve(t.DOCUMENTS),
    };
    return new ToolServer({
      about: {
        name: "platen",
        title: "Platen",
        version: c.resolve(t.PACKAGE).version,
      },
      tools: c.resolve(t.TOOLS),
      resources: createResources(services),
      prompts: createPrompts(services),
      ended: createCallMetrics(c.resolve(t.METRICS)),
    });
  });
}

/** The transports that are spoken over HTTP. */
function joinDoor(container: DependencyContainer): void {
  make(container, t.TOOL_SERVER_DOOR, (c) => {
    const { host, maxBodyBytes, mcp } = c.resolve(t.CONFIG);
    return createHttpTransport({
      ...mcp,
      server: c.resolve(t.TOOL_SERVER),
      log: c.resolve(t.LOG),
      authenticate: (key) => c.resolve(t.AUTHENTICATOR).authenticate(key),
      endedKeys: (ids) => endedKeys(c.resolve(t.STORE).read, ids, new Date()),
      rateLimits: c.resolve(t.RATE_LIMITS),
      host,
      baseUrl: c.resolve(t.BASE_URL),
      node: mcp.node ?? randomBytes(4).toString("hex"),
      maxBodyBytes,
      draining: c.resolve(t.DRAINING).signal,
    });
  });
}
