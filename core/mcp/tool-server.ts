import { randomBytes } from "node:crypto";
import { createToken, provide } from "../lib/injection.js";
import { Grants, OAUTH_ADDRESSES } from "../accounts/oauth/index.js";
import { ApiKeys, Authenticator, RateLimits } from "../accounts/index.js";
import { Assets } from "../assets/index.js";
import {
  DataValidation,
  Documents,
  DraftPreviews,
  RENDER_DOCUMENT,
  Thumbnails,
} from "../documents/index.js";
import {
  BASE_URL,
  CONFIG,
  DRAINING,
  LOG,
  METRICS,
  PACKAGE,
  RENDER_TIMEOUT_MS,
} from "../lib/process-values.js";
import {
  Brands,
  Partials,
  TemplateEditor,
  Templates,
} from "../templates/index.js";
import { createPrompts } from "./prompts.js";
import { createResources } from "./resources.js";
import { ToolServer } from "./server.js";
import { createCallMetrics, type Tool } from "./tool.js";
import { createTools } from "./tools/index.js";
import { HttpTransport } from "./transports/http.js";

/** The folder from which assistants may upload files; `root` is null when they run elsewhere. */
export const LOCAL_FILES = createToken<{ root: string | null }>("local files");
provide(LOCAL_FILES, () => ({ root: null }));
export const TOOLS = createToken<readonly Tool[]>("tools");
provide(TOOLS, (c) =>
  createTools({
    templates: c.resolve(Templates),
    templateEditor: c.resolve(TemplateEditor),
    partials: c.resolve(Partials),
    brands: c.resolve(Brands),
    draftPreviews: c.resolve(DraftPreviews),
    documents: c.resolve(Documents),
    renderDocument: c.resolve(RENDER_DOCUMENT),
    dataValidation: c.resolve(DataValidation),
    renderTimeoutMs: c.resolve(RENDER_TIMEOUT_MS),
    assets: c.resolve(Assets),
    assetRoot: c.resolve(LOCAL_FILES).root,
  }),
);
provide(ToolServer, (c) => {
  const services = {
    templates: c.resolve(Templates),
    documents: c.resolve(Documents),
    thumbnails: c.resolve(Thumbnails),
  };
  const { version } = c.resolve(PACKAGE);
  return new ToolServer({
    about: { name: "platen", title: "Platen", version },
    tools: c.resolve(TOOLS),
    resources: createResources(services),
    prompts: createPrompts(services),
    ended: createCallMetrics(c.resolve(METRICS)),
  });
});
provide(HttpTransport, (c) => {
  const { host, maxBodyBytes, mcp } = c.resolve(CONFIG);
  const authenticator = c.resolve(Authenticator);
  const keys = c.resolve(ApiKeys);
  const grants = c.resolve(Grants);
  return new HttpTransport({
    ...mcp,
    server: c.resolve(ToolServer),
    log: c.resolve(LOG),
    authenticate: (key, address) => authenticator.authenticate(key, address),
    authenticateToken: (token) => grants.authenticate(token),
    endedKeys: async (ids) => {
      const noKeys = await keys.findEnded(ids);
      return noKeys.size === 0 ? noKeys : grants.findEnded([...noKeys]);
    },
    resource: c.resolve(OAUTH_ADDRESSES).resource,
    rateLimits: c.resolve(RateLimits),
    host,
    baseUrl: c.resolve(BASE_URL),
    node: mcp.node ?? randomBytes(4).toString("hex"),
    maxBodyBytes,
    draining: c.resolve(DRAINING).signal,
  });
});
