import {
  type PlatformPlugin,
  PLUGIN_API,
} from "../../core/plugin-api/index.js";
import { readAttachments, writeBack } from "./attachments.js";
import {
  credentialsSchema,
  type NocodbContext,
  type NocodbCredentials,
} from "./client.js";
import { fetchRows, findRows } from "./rows.js";
import { describe, listBases } from "./tables.js";

/** NocoDB Cloud allows five, but refuses some at exactly five. */
const maxPerSecondInCloud = 4.5;

/** NocoDB 0.260 and later: its API v3 for tables and rows, v2 for files (v3 renames them). */
export const nocodbPlugin: PlatformPlugin<NocodbCredentials> = {
  meta: {
    kind: "platform",
    id: "nocodb",
    title: "NocoDB",
    version: "1.0.0",
    api: PLUGIN_API,
    platen: ">=0.1.0 <1.0.0",
  },
  credentials: { schema: credentialsSchema },
  capabilities: {
    links: true,
    attachments: "native",
    modes: ["append", "replace"],
    maxFileBytes: 20 * 1024 * 1024,
    maxIdsPerFetch: 100,
    keepsFilename: true,
    readBack: true,
  },
  rate: {
    key: ({ url, token }) => `${url} ${token}`,
    perSecond: ({ url }) => (isCloud(url) ? maxPerSecondInCloud : null),
    maxInFlight: 4,
    cooldownMs: 30_000,
  },
  check,
  listBases,
  describe,
  fetchRows,
  findRows,
  writeBack,
  readAttachments,
};

async function check(context: NocodbContext) {
  const bases = await listBases(context);
  const names = bases.map(({ name }) => name).join(", ");
  return bases.length > 0
    ? { account: names }
    : {
        warnings: ["The token has access to no base. Share one with its user."],
      };
}

function isCloud(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname === "app.nocodb.com";
}
