import {
  type PlatformPlugin,
  PLUGIN_API,
} from "../../core/plugin-api/index.js";
import { readAttachments, writeBack } from "./attachments.js";
import { readCatalog } from "./catalog.js";
import { withDatabase } from "./database.js";
import { fetchRows, findRows } from "./rows.js";
import {
  credentialsSchema,
  type SqlContext,
  type SqlCredentials,
} from "./settings.js";

/** Tables of PostgreSQL, MySQL, MariaDB and SQLite. Foreign keys are links in both directions. */
export const sqlPlugin: PlatformPlugin<SqlCredentials> = {
  meta: {
    kind: "platform",
    id: "sql",
    title: "SQL database",
    version: "1.0.0",
    api: PLUGIN_API,
    platen: ">=0.1.0 <1.0.0",
  },
  credentials: { schema: credentialsSchema },
  capabilities: {
    links: true,
    attachments: "link-cell",
    modes: ["append", "replace"],
    maxFileBytes: 16 * 1024 * 1024,
    maxIdsPerFetch: 500,
    keepsFilename: true,
    readBack: true,
  },
  rate: { key: getRateKey, maxInFlight: 4 },
  check,
  describe: (context) =>
    withDatabase(context, {}, false, async (database) => {
      const catalog = await readCatalog(database);
      return Array.from(catalog.tables.values(), (table) =>
        catalog.toTableInfo(database.settings, table),
      );
    }),
  fetchRows,
  findRows,
  writeBack,
  readAttachments,
};

/** The limit applies to a database, for all its users. */
function getRateKey(credentials: SqlCredentials): string {
  if (credentials.engine === "sqlite") return credentials.file;
  const { engine, host, port, database } = credentials;
  return JSON.stringify([engine, host, port, database]);
}

async function check(context: SqlContext) {
  const { tables } = await withDatabase(context, {}, false, readCatalog);
  const withoutKey = Array.from(tables.values())
    .filter(({ key }) => key === null)
    .map(({ name }) => name);
  const warnings = [
    ...(tables.size === 0 ? ["The database user can see no tables."] : []),
    ...(withoutKey.length > 0
      ? [
          `Rows of these tables cannot be used, because they have no primary key of one column: ${withoutKey.join(", ")}.`,
        ]
      : []),
  ];
  return { account: `${tables.size} tables`, warnings };
}
