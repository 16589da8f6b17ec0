import {
  type PlatformPlugin,
  PLUGIN_API,
} from "../../core/plugin-api/index.js";
import { readAttachments, writeBack } from "./attachments.js";
import { readCatalog } from "./catalog.js";
import {
  credentialsSchema,
  type SqlContext,
  type SqlCredentials,
} from "./credentials.js";
import { withDatabase } from "./database.js";
import { tableInfo } from "./fields.js";
import { findRows } from "./find-rows.js";
import { fetchRows } from "./rows.js";

/** Tables of PostgreSQL, MySQL, MariaDB and SQLite; foreign keys are links both ways. */
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
  rate: { key: placeOf, maxInFlight: 4 },
  check,
  describe: (context) =>
    withDatabase(context, {}, false, async (database) => {
      const catalog = await readCatalog(database);
      return Array.from(catalog.tables.values(), (table) =>
        tableInfo(catalog, database.settings, table),
      );
    }),
  fetchRows,
  findRows,
  writeBack,
  readAttachments,
};

/** Each database has its own limit, whoever the user is. */
function placeOf(credentials: SqlCredentials): string {
  if (credentials.engine === "sqlite") return credentials.file;
  const { engine, host, port, database } = credentials;
  return JSON.stringify([engine, host, port, database]);
}

async function check(context: SqlContext) {
  const { tables } = await withDatabase(context, {}, false, readCatalog);
  const keyless = Array.from(tables.values())
    .filter(({ key }) => key === null)
    .map(({ name }) => name);
  const warnings = [
    ...(tables.size === 0 ? ["This user sees no tables."] : []),
    ...(keyless.length > 0
      ? [
          `Rows of these cannot be named, for want of a primary key of one column: ${keyless.join(", ")}.`,
        ]
      : []),
  ];
  return { account: `${tables.size} tables`, warnings };
}
