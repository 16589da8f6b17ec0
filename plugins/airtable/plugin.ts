import { z } from "zod";
import { PLUGIN_API, type PlatformContext, type PlatformPlugin, type SettingsSchema, type BaseInfo, PlatformError, type FieldInfo, type FieldKind, type TableInfo } from "../../core/plugin-api/index.js";
import { AirtableClient } from "./client.js";
import { baseOf, fetchRows, pageSize, findRows, recordsReply } from "./rows.js";
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

/** How a connection reaches Airtable. */
export interface AirtableCredentials {
  token: string;
  endpointUrl?: string;
  contentUrl?: string;
}

const address = { type: "string", format: "uri", pattern: "^https?://" };

export const credentialsSchema: SettingsSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  additionalProperties: false,
  required: ["token"],
  properties: {
    token: {
      type: "string",
      minLength: 1,
      writeOnly: true,
      title: "Personal access token",
      description:
        "Made at airtable.com/create/tokens, with the scopes data.records:read, data.records:write and " +
        "schema.bases:read, and with access to the bases that hold your records.",
    },
    endpointUrl: {
      ...address,
      title: "Address of the API",
      description: "Default: https://api.airtable.com",
    },
    contentUrl: {
      ...address,
      title: "Address that takes files",
      description: "Default: https://content.airtable.com",
    },
  },
};

export function endpointOf({ endpointUrl }: AirtableCredentials): string {
  return withoutSlash(endpointUrl ?? "https://api.airtable.com");
}

export function contentOf({ contentUrl }: AirtableCredentials): string {
  return withoutSlash(contentUrl ?? "https://content.airtable.com");
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

const whoami = z.object({
  id: z.string(),
  email: z.string().optional(),
  /** Airtable tells them of OAuth tokens only. */
  scopes: z.array(z.string()).optional(),
});

const basesReply = z.object({
  bases: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      permissionLevel: z.string().optional(),
    }),
  ),
  offset: z.string().optional(),
});

type Base = z.infer<typeof basesReply>["bases"][number];

const needed = ["data.records:read", "data.records:write"];
const writing = new Set(["create", "edit", "editor", "owner", "creator"]);

/** Who the token belongs to, and what it lacks. @throws PlatformError when nothing can be read with it. */
export async function check(client: AirtableClient) {
  const path = "/whoami";
  const who = await client.send(
    { baseId: "meta", path, needs: "a valid token" },
    whoami,
  );
  const bases = await listAll(client);
  if (bases.length === 0)
    throw new PlatformError(
      "forbidden",
      "the token reaches no base. Add the bases that hold your records to it at airtable.com/create/tokens.",
    );
  await readOne(client, bases);
  return { account: who.email ?? who.id, warnings: warningsOf(who, bases) };
}

/** Airtable does not tell the scopes of a personal token: whether it may read shows when it reads. */
async function readOne(
  client: AirtableClient,
  [base]: readonly Base[],
): Promise<void> {
  if (!base) return;
  const { tables } = await client.send(
    {
      baseId: "meta",
      path: `/bases/${base.id}/tables`,
      needs: "schema.bases:read",
    },
    tablesReply,
  );
  const [table] = tables;
  if (!table) return;
  const needs = "data.records:read";
  const path = `/${table.id}/listRecords`;
  const body = { pageSize: 1, fields: [] };
  try {
    await client.send(
      { method: "POST", baseId: base.id, path, needs, body },
      recordsReply,
    );
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code !== "not_found")
      throw error;
    throw new PlatformError(
      "forbidden",
      `the token lacks the scope ${needs}: no record of the base "${base.name}" can be read. Add it at airtable.com/create/tokens.`,
      { cause: error },
    );
  }
}

function warningsOf(
  { scopes }: z.infer<typeof whoami>,
  bases: readonly Base[],
): string[] {
  const lacking = needed.filter((one) => scopes && !scopes.includes(one));
  const unwritable = bases.filter(
    ({ permissionLevel = "edit" }) => !writing.has(permissionLevel),
  );
  return [
    ...lacking.map((one) => `The token lacks the scope ${one}.`),
    ...unwritable.map(
      ({ name }) => `Files cannot be written to the base "${name}".`,
    ),
  ];
}

export async function listBases(client: AirtableClient): Promise<BaseInfo[]> {
  const bases = await listAll(client);
  return bases.map(({ id, name }) => ({ id, name }));
}

async function listAll(client: AirtableClient): Promise<Base[]> {
  const all: Base[] = [];
  let offset: string | undefined;
  do {
    const page = await client.send(
      {
        baseId: "meta",
        path: "/bases",
        needs: "schema.bases:read",
        ...(offset !== undefined && { query: { offset } }),
      },
      basesReply,
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

export const tablesReply = z.object({ tables: z.array(tableSchema) });

/** Types that Airtable adds later are `other`: their values pass as they come. */
const kinds: Readonly<Record<string, FieldKind>> = {
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

export function tableInfo({
  id,
  name,
  primaryFieldId,
  fields,
}: z.infer<typeof tableSchema>): TableInfo {
  return { id, name, primaryFieldId, fields: fields.map(fieldInfo) };
}

function fieldInfo({
  id,
  name,
  type: native,
  options,
}: z.infer<typeof fieldSchema>): FieldInfo {
  const kind = kinds[native] ?? "other";
  const writable = kind !== "computed" && kind !== "other";
  const linked = kind === "link" ? options?.linkedTableId : undefined;
  const many = options?.prefersSingleRecordLink !== true;
  return {
    id,
    name,
    kind,
    native,
    writable,
    ...(linked !== undefined && { link: { tableId: linked, many } }),
  };
}
