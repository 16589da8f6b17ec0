import { randomBytes } from "node:crypto";
import {
  ACCESS_TOKENS,
  GRANTS,
  OAUTH_ADDRESSES,
} from "../accounts/oauth/tokens.js";
import { API_KEYS, AUTHENTICATOR, RATE_LIMITS } from "../accounts/tokens.js";
import { ASSETS } from "../assets/tokens.js";
import {
  DATA_VALIDATION,
  DOCUMENTS,
  DRAFT_PREVIEWS,
  RENDER_DOCUMENT,
  THUMBNAILS,
} from "../documents/tokens.js";
import {
  type DependencyContainer,
  registerFactory,
  registerValue,
} from "../lib/injection.js";
import {
  BASE_URL,
  CONFIG,
  DRAINING,
  LOG,
  METRICS,
  PACKAGE,
  RENDER_TIMEOUT_MS,
} from "../lib/tokens.js";
import {
  BRANDS,
  PARTIALS,
  TEMPLATE_EDITOR,
  TEMPLATES,
} from "../templates/tokens.js";
import {
  createCallMetrics,
  createPrompts,
  createResources,
  createTools,
  HttpTransport,
  ToolServer,
} from "./index.js";
import * as t from "./tokens.js";

export function registerMcp(container: DependencyContainer): void {
  registerValue(container, t.LOCAL_FILES, { root: null });
  registerFactory(container, t.TOOLS, (c) =>
    createTools({
      templates: c.resolve(TEMPLATES),
      templateEditor: c.resolve(TEMPLATE_EDITOR),
      partials: c.resolve(PARTIALS),
      brands: c.resolve(BRANDS),
      draftPreviews: c.resolve(DRAFT_PREVIEWS),
      documents: c.resolve(DOCUMENTS),
      renderDocument: c.resolve(RENDER_DOCUMENT),
      dataValidation: c.resolve(DATA_VALIDATION),
      renderTimeoutMs: c.resolve(RENDER_TIMEOUT_MS),
      assets: c.resolve(ASSETS),
      assetRoot: c.resolve(t.LOCAL_FILES).root,
    }),
  );
  registerFactory(container, t.TOOL_SERVER, (c) => {
    const services = {
      templates: c.resolve(TEMPLATES),
      documents: c.resolve(DOCUMENTS),
      thumbnails: c.resolve(THUMBNAILS),
    };
    const { version } = c.resolve(PACKAGE);
    return new ToolServer({
      about: { name: "platen", title: "Platen", version },
      tools: c.resolve(t.TOOLS),
      resources: createResources(services),
      prompts: createPrompts(services),
      ended: createCallMetrics(c.resolve(METRICS)),
    });
  });
  registerFactory(container, t.TOOL_SERVER_TRANSPORT, (c) => {
    const { host, maxBodyBytes, mcp } = c.resolve(CONFIG);
    const authenticator = c.resolve(AUTHENTICATOR);
    const keys = c.resolve(API_KEYS);
    const accessTokens = c.resolve(ACCESS_TOKENS);
    const grants = c.resolve(GRANTS);
    return new HttpTransport({
      ...mcp,
      server: c.resolve(t.TOOL_SERVER),
      log: c.resolve(LOG),
      authenticate: (key, address) => authenticator.authenticate(key, address),
      authenticateToken: (token) => accessTokens.authenticate(token),
      endedKeys: async (ids) => {
        const noKeys = await keys.findEnded(ids);
        return noKeys.size === 0 ? noKeys : grants.findEnded([...noKeys]);
      },
      resource: c.resolve(OAUTH_ADDRESSES).resource,
      rateLimits: c.resolve(RATE_LIMITS),
      host,
      baseUrl: c.resolve(BASE_URL),
      node: mcp.node ?? randomBytes(4).toString("hex"),
      maxBodyBytes,
      draining: c.resolve(DRAINING).signal,
    });
  });
}
