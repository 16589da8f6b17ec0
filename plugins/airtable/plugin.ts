import {
  PLUGIN_API,
  type PlatformContext,
  type PlatformPlugin,
} from "../../core/plugin-api/index.js";
import { check, listBases } from "./check.js";
import { AirtableClient } from "./client.js";
import {
  type AirtableCredentials,
  credentialsSchema,
  endpointOf,
} from "./credentials.js";
import { baseOf, fetchRows, pageSize } from "./fetch-rows.js";
import { findRows } from "./find-rows.js";
import { tableInfo, tablesReply } from "./fields.js";
import { AttachmentCell } from "./write-back.js";

type Context = PlatformContext<AirtableCredentials>;

/** Airtable: linked records, and files in attachment fields. */
export const airtablePlugin: PlatformPlugin<AirtableCredentials> = {
  meta: {
    kind: "platform",
    id: "airtable",
    title: "Airtable",
    version: "1.0.0",
    api: PLUGIN_API,
    platen: "*",
  },
  credentials: { schema: credentialsSchema },
  capabilities: {
    links: true,
    attachments: "native",
    modes: ["append", "replace"],
    maxFileBytes: 1_000_000_000,
    maxIdsPerFetch: pageSize,
    keepsFilename: true,
    readBack: true,
  },
  rate: {
    // A base takes 5 a second, from all tokens together; spacing of exactly that still trips it.
    key: (credentials, { baseId }) =>
      `${endpointOf(credentials)} ${baseId ?? credentials.token}`,
    maxPerSecond: 4.5,
    maxInFlight: 5,
    cooldownMs: 30_000,
  },
  check: (context) => check(new AirtableClient(context)),
  listBases: (context) => listBases(new AirtableClient(context)),
  describe: async (context, baseId) => {
    const base = baseOf(baseId === undefined ? {} : { baseId });
    const path = `/bases/${base}/tables`;
    const { tables } = await new AirtableClient(context).send(
      { baseId: "meta", path, needs: "schema.bases:read" },
      tablesReply,
    );
    return tables.map(tableInfo);
  },
  fetchRows: (context, scope, ids, fieldIds) =>
    fetchRows(new AirtableClient(context), scope, ids, fieldIds),
  findRows: (context, scope, search) =>
    findRows(new AirtableClient(context), scope, search),
  writeBack: (context, scope, recordId, fieldId, files, mode) =>
    cellOf(context, scope, recordId, fieldId).write(files, mode),
  readAttachments: (context, scope, recordId, fieldId) =>
    cellOf(context, scope, recordId, fieldId).read(),
};

function cellOf(
  context: Context,
  ...[scope, recordId, fieldId]: CellPlace
): AttachmentCell {
  const client = new AirtableClient(context);
  return new AttachmentCell(client, scope, recordId, fieldId, context.signal);
}

type CellPlace = [
  scope: ConstructorParameters<typeof AttachmentCell>[1],
  recordId: string,
  fieldId: string,
];
