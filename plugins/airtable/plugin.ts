import { z } from "zod";
import {
  type BaseInfo,
  type FieldInfo,
  type FieldKind,
  PLUGIN_API,
  PlatformError,
  type PlatformPlugin,
  type TableInfo,
} from "../../core/plugin-api/index.js";
import { AttachmentCell } from "./attachments.js";
import {
  AirtableClient,
  type AirtableCredentials,
  credentialsSchema,
  getEndpointUrl,
} from "./client.js";
import {
  fetchRows,
  findRows,
  getBaseId,
  getTablePath,
  maxPageSize,
  recordListSchema,
} from "./rows.js";

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
    maxIdsPerFetch: maxPageSize,
    keepsFilename: true,
    readBack: true,
  },
  rate: {
    // A base allows 5 per second for all tokens together; spacing of exactly that still exceeds it at times.
    key: (credentials, { baseId }) =>
      `${getEndpointUrl(credentials)} ${baseId ?? credentials.token}`,
    maxPerSecond: 4.5,
    maxInFlight: 5,
    cooldownMs: 30_000,
  },
  check: (context) => check(new AirtableClient(context)),
  listBases: async (context) => {
    const bases = await listAllBases(new AirtableClient(context));
    return bases.map(({ id, name }): BaseInfo => ({ id, name }));
  },
  describe: async (context, baseId) => {
    const base = getBaseId(baseId === undefined ? {} : { baseId });
    const tables = await listTables(new AirtableClient(context), base);
    return tables.map(toTableInfo);
  },
  fetchRows: (context, scope, ids, fieldIds) =>
    fetchRows(new AirtableClient(context), scope, ids, fieldIds),
  findRows: (context, scope, search) =>
    findRows(new AirtableClient(context), scope, search),
  writeBack: (context, scope, recordId, fieldId, files, mode) =>
    new AttachmentCell(
      new AirtableClient(context),
      scope,
      recordId,
      fieldId,
    ).write(files, mode),
  readAttachments: (context, scope, recordId, fieldId) =>
    new AttachmentCell(
      new AirtableClient(context),
      scope,
      recordId,
      fieldId,
    ).read(),
};

const userSchema = z.object({
  id: z.string(),
  email: z.string().optional(),
  /** Airtable returns them for OAuth tokens only. */
  scopes: z.array(z.string()).optional(),
});

const neededScopes = ["data.records:read", "data.records:write"];
const writeLevels = new Set(["create", "edit", "editor", "owner", "creator"]);

/** Returns the token's user, and what the token lacks. @throws PlatformError when it can read nothing. */
async function check(client: AirtableClient) {
  const user = await client.send(
    { baseId: "meta", path: "/whoami", needs: "a valid token" },
    userSchema,
  );
  const bases = await listAllBases(client);
  const [first] = bases;
  if (!first)
    throw new PlatformError(
      "forbidden",
      "The token has access to no base. Add the bases that hold your records to it at airtable.com/create/tokens.",
    );
  await readFirstRecord(client, first);
  const missingScopes = neededScopes.filter(
    (scope) => user.scopes && !user.scopes.includes(scope),
  );
  const readOnlyBases = bases.filter(
    ({ permissionLevel = "edit" }) => !writeLevels.has(permissionLevel),
  );
  return {
    account: user.email ?? user.id,
    warnings: [
      ...missingScopes.map((scope) => `The token lacks the scope ${scope}.`),
      ...readOnlyBases.map(
        ({ name }) => `Files cannot be written to the base "${name}".`,
      ),
    ],
  };
}

/** Airtable does not reveal the scopes of a personal token, so reading a record is the only test. */
async function readFirstRecord(
  client: AirtableClient,
  base: AirtableBase,
): Promise<void> {
  const [table] = await listTables(client, base.id);
  if (!table) return;
  const needs = "data.records:read";
  try {
    await client.send(
      {
        method: "POST",
        baseId: base.id,
        path: `${getTablePath({ tableId: table.id })}/listRecords`,
        needs,
        body: { pageSize: 1, fields: [] },
      },
      recordListSchema,
    );
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code !== "not_found")
      throw error;
    throw new PlatformError(
      "forbidden",
      `The token lacks the scope ${needs}, so no record of the base "${base.name}" can be read. Add it at airtable.com/create/tokens.`,
      { cause: error },
    );
  }
}

const baseListSchema = z.object({
  bases: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      permissionLevel: z.string().optional(),
    }),
  ),
  offset: z.string().optional(),
});
type AirtableBase = z.infer<typeof baseListSchema>["bases"][number];

async function listAllBases(client: AirtableClient): Promise<AirtableBase[]> {
  const all: AirtableBase[] = [];
  let offset: string | undefined;
  do {
    const page = await client.send(
      {
        baseId: "meta",
        path: "/bases",
        needs: "schema.bases:read",
        ...(offset !== undefined && { query: { offset } }),
      },
      baseListSchema,
    );
    all.push(...page.bases);
    ({ offset } = page);
  } while (offset !== undefined);
  return all;
}

const fieldSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  options: z
    .object({
      linkedTableId: z.string().optional(),
      prefersSingleRecordLink: z.boolean().optional(),
    })
    .nullish(),
});

const tableSchema = z.object({
  id: z.string(),
  name: z.string(),
  primaryFieldId: z.string(),
  fields: z.array(fieldSchema),
});

async function listTables(client: AirtableClient, baseId: string) {
  const path = `/bases/${baseId}/tables`;
  const { tables } = await client.send(
    { baseId: "meta", path, needs: "schema.bases:read" },
    z.object({ tables: z.array(tableSchema) }),
  );
  return tables;
}

function toTableInfo({
  id,
  name,
  primaryFieldId,
  fields,
}: z.infer<typeof tableSchema>): TableInfo {
  return { id, name, primaryFieldId, fields: fields.map(toFieldInfo) };
}

/** Other types, such as those that Airtable adds later, are `other`: their values are passed on unchanged. */
const fieldKinds: Readonly<Record<string, FieldKind>> = {
  singleLineText: "text",
  multilineText: "text",
  richText: "text",
  email: "text",
  url: "text",
  phoneNumber: "text",
  number: "number",
  currency: "number",
  percent: "number",
  duration: "number",
  rating: "number",
  checkbox: "boolean",
  date: "date",
  dateTime: "date",
  singleSelect: "select",
  multipleSelects: "select",
  multipleRecordLinks: "link",
  multipleAttachments: "attachment",
  formula: "computed",
  rollup: "computed",
  count: "computed",
  multipleLookupValues: "computed",
  autoNumber: "computed",
  createdTime: "computed",
  lastModifiedTime: "computed",
  createdBy: "computed",
  lastModifiedBy: "computed",
  externalSyncSource: "computed",
  aiText: "computed",
  button: "computed",
  barcode: "json",
  singleCollaborator: "json",
  multipleCollaborators: "json",
};

function toFieldInfo({
  id,
  name,
  type: native,
  options,
}: z.infer<typeof fieldSchema>): FieldInfo {
  const kind = fieldKinds[native] ?? "other";
  const tableId = kind === "link" ? options?.linkedTableId : undefined;
  const many = options?.prefersSingleRecordLink !== true;
  return {
    id,
    name,
    kind,
    native,
    writable: kind !== "computed" && kind !== "other",
    ...(tableId !== undefined && { link: { tableId, many } }),
  };
}
