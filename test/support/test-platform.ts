import {
  PLUGIN_API,
  type PlatformPlugin,
} from "../../core/plugin-api/index.js";
import {
  connectPlatform,
  RequestLimiters,
  type ConnectedPlatform,
} from "../../core/integrations/host/index.js";
import { Outbound } from "../../core/lib/outbound/index.js";
import { silentLog } from "./store-log.js";

/** A platform that answers everything, of which a test replaces what it is about. */
export const testPlatform: PlatformPlugin = {
  meta: {
    kind: "platform",
    id: "test",
    title: "Test",
    version: "1.0.0",
    api: PLUGIN_API,
    platen: "*",
  },
  credentials: { schema: { type: "object" } },
  capabilities: {
    links: false,
    attachments: "native",
    modes: ["append", "replace"],
    maxFileBytes: 1000,
    maxIdsPerFetch: 2,
    keepsFilename: true,
    readBack: false,
  },
  rate: { key: () => "all", maxInFlight: 10 },
  check: () => Promise.resolve({}),
  describe: () => Promise.resolve([]),
  fetchRows: (_context, _scope, ids) =>
    Promise.resolve({
      rows: ids.map((id) => ({ id, fields: {}, links: {} })),
      missing: [],
    }),
};

/** It, changed, with credentials, and called as the host does. */
export function connected(
  changes: Partial<PlatformPlugin>,
  { allowed = ["127.0.0.0/8"], limiters = new RequestLimiters(1) } = {},
): ConnectedPlatform {
  const outbound = new Outbound({
    allowPrivateNetworks: allowed,
    log: silentLog,
  });
  const parts = {
    outbound,
    limiters,
    userAgent: "Platen tests",
    log: silentLog,
  };
  return connectPlatform({ ...testPlatform, ...changes }, {}, parts);
}
