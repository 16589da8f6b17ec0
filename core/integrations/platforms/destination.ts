import {
  type DataSource,
  getDataSource,
  type ProjectData,
} from "../../definition/index.js";
import { getTemplateToRender } from "../../documents/index.js";
import {
  Deadline,
  type FieldInfo,
  type Format,
  PlatenError,
  type Plan,
  type Problem,
  type TableInfo,
  type TableScope,
} from "../../plugin-api/index.js";
import type { Store } from "../../storage/database/index.js";
import type {
  ConnectionService,
  PlatformConnection,
} from "../connections/index.js";
import type { ConnectedPlatform } from "../host/index.js";
import {
  createFetchPlan,
  type FetchPlan,
  fieldNotFound,
  findField,
  findTable,
  suggestName,
  tableNotFound,
} from "./fetch-plan.js";
import type { RowGrouping } from "./table-plan.js";

/** Where a platform's records are and where their files go, as a key or a link requests it. */
export interface DestinationRequest {
  organizationId: string;
  createdById: string;
  plan: Plan;
  /** The id of its plugin. */
  platform: string;
  templateId: string;
  /** The number of a snapshot; default: the newest. */
  templateVersion?: number | undefined;
  /** Default: the template's. */
  baseId?: string | undefined;
  /** Default: the template's. */
  tableId?: string | undefined;
  /** Default: the template's, or the organization's only one for the platform. */
  connectionId?: string | undefined;
  /** Default: pdf. */
  formats?: readonly Format[] | undefined;
  /** The field that receives the files, by id or name; without it, nothing is written back. */
  attachmentField?: string | undefined;
  /** Whether files replace the cell's content; default: they are added. */
  overwriteExisting?: boolean | undefined;
  /** Which records are one document: `by` is the field of their key, by id or name. */
  group?: RowGrouping | undefined;
}

/** Everything that a request refers to, found on the platform. */
export interface Destination {
  /** The version of the template that the destination was checked for. */
  templateVersion: number;
  connection: PlatformConnection;
  scope: TableScope;
  table: TableInfo;
  plan: FetchPlan;
  /** Undefined: nothing is written back. */
  field: FieldInfo | undefined;
  /** Of records that are grouped. */
  keyField: FieldInfo | undefined;
}

/** The time for all checks on the platform, so that the request takes less than 5 s. */
export const checkTimeoutMs = 4500;

interface DestinationPorts {
  store: Pick<Store, "read">;
  connections: Pick<
    ConnectionService,
    "assertPluginUsable" | "listByPlatform" | "open"
  >;
}

/**
 * Finds the connection, the table, every field of the template's schema and the attachment field on the platform.
 * @throws PlatenError that names everything that is missing.
 */
export async function resolveDestination(
  { store, connections }: DestinationPorts,
  request: DestinationRequest,
  deadline = Deadline.after(checkTimeoutMs),
): Promise<Destination> {
  const { version } = await getTemplateToRender(store.read, request);
  const choice = { ...request, templateVersion: version };
  const template = await getTemplateToRender(store.read, choice);
  const definition = await template.definition();
  const source = getDataSource(definition);
  const connection = await openConnection(connections, request, source);
  const { platform } = connection;
  const baseId = request.baseId ?? source?.baseId ?? undefined;
  const limits = { timeoutMs: deadline.remainingMs };
  const tables = await platform.describe(baseId, limits);
  const table = findRootTable(tables, request, definition, source);
  const { schema } = definition;
  const { group } = request;
  const { plan, problems } = createFetchPlan(schema, table, tables, group?.as);
  const field = findAttachmentField(platform, table, request, problems);
  const keyField =
    group && findKeyField(table, schema, request, group, problems);
  if (problems.length > 0)
    throw new PlatenError(
      "invalid_request",
      `The template and the request do not match the table "${table.name}".`,
      { problems },
    );
  const scope = { tableId: table.id, ...(baseId !== undefined && { baseId }) };
  return {
    templateVersion: version,
    connection,
    scope,
    table,
    plan,
    field,
    keyField,
  };
}

/** Finds the field whose value names the document of a record; undefined with a problem. */
function findKeyField(
  table: TableInfo,
  [root]: ProjectData["schema"],
  { attachmentField }: DestinationRequest,
  { by, as }: RowGrouping,
  problems: Problem[],
): FieldInfo | undefined {
  const add = (path: string, message: string) =>
    problems.push({ path: `$.${path}`, code: "group", message });
  const lists = (root?.fields ?? []).filter(
    ({ type }) => type === "OneToManyLink",
  );
  if (!lists.some(({ name }) => name === as))
    add(
      "group.as",
      `The template has no list "${as}". ${suggestName(
        as,
        lists.map(({ name }) => name),
      )}`,
    );
  const keyField = findField(table, by);
  const names = table.fields.map(({ name }) => name);
  if (!keyField)
    add("group.by", `${fieldNotFound(by, table)} ${suggestName(by, names)}`);
  else if (keyField.kind === "attachment" || keyField.kind === "boolean")
    add(
      "group.by",
      `"${keyField.name}" is ${keyField.native}, which cannot be the key of a document. Name a field of texts or numbers.`,
    );
  if (attachmentField !== undefined)
    add(
      "attachmentField",
      'must be left out with group: a document of several records belongs to none of them alone. Send its files elsewhere with "deliver", or make a table with one record for each document.',
    );
  return keyField;
}

/**
 * Opens the connection that the request names, or the template's, or the organization's only one for the platform.
 * @throws PlatenError `not_found` for an unknown platform or connection; `invalid_request` when there are several
 * connections, with a list.
 */
async function openConnection(
  connections: DestinationPorts["connections"],
  request: DestinationRequest,
  source: DataSource | null,
): Promise<PlatformConnection> {
  const { organizationId, platform } = request;
  await connections.assertPluginUsable({
    kind: "platform",
    plugin: platform,
  });
  const expected = source?.platform ?? platform;
  if (expected !== platform)
    throw invalidRequest(
      `This template is connected to ${expected}. Send its records to /api/export/batch/${expected}.`,
    );
  const connection = await connections.open(
    organizationId,
    request.connectionId ??
      source?.connectionId ??
      (await findOnlyConnection(connections, request)),
  );
  if (connection.platform.id === platform) return connection;
  throw invalidRequest(
    `The connection "${connection.name}" (${connection.id}) connects to ${connection.platform.id}, not to ${platform}.`,
  );
}

async function findOnlyConnection(
  connections: DestinationPorts["connections"],
  { organizationId, platform }: DestinationRequest,
): Promise<string> {
  const all = await connections.listByPlatform(organizationId, platform);
  const [first, second] = all;
  if (first && !second) return first.id;
  if (!first)
    throw invalidRequest(
      `There is no connection to ${platform} yet. Save one with POST /api/connections, or with platen connection add.`,
    );
  const listed = all.map(({ id, name }) => `${id} ("${name}")`).join(", ");
  throw invalidRequest(
    `There are ${all.length} connections to ${platform}. Set connectionId to one of them: ${listed}.`,
  );
}

function findRootTable(
  tables: readonly TableInfo[],
  request: DestinationRequest,
  { schema }: ProjectData,
  source: DataSource | null,
): TableInfo {
  const wanted =
    request.tableId ?? source?.tableId ?? schema[0]?.source?.tableId;
  if (wanted === undefined)
    throw invalidRequest(
      "Neither the request nor the template names the table of the records. Send tableId, or set it in the template's connection.",
    );
  const table = findTable(tables, wanted);
  if (table) return table;
  throw invalidRequest(tableNotFound(wanted, tables));
}

/** Finds the field that files are written to; undefined when none is requested, or with a problem. */
function findAttachmentField(
  { title, capabilities }: ConnectedPlatform,
  table: TableInfo,
  {
    attachmentField: wanted,
    overwriteExisting = false,
    formats = ["pdf"],
  }: Pick<
    DestinationRequest,
    "attachmentField" | "overwriteExisting" | "formats"
  >,
  problems: Problem[],
): FieldInfo | undefined {
  if (wanted === undefined) return undefined;
  const { attachments, modes } = capabilities;
  const field = findField(table, wanted);
  const problem =
    attachments === "none"
      ? `${title} does not accept files. Omit this field.`
      : field
        ? checkAttachmentField(field, attachments)
        : `${fieldNotFound(wanted, table)} ${suggestAttachmentField(wanted, table)}`;
  if (problem !== null)
    problems.push({
      path: "$.attachmentField",
      code: "field",
      message: problem,
    });
  const maxFiles = field?.maxFiles ?? Infinity;
  if (problem === null && formats.length > maxFiles)
    problems.push({
      path: "$.formats",
      code: "files",
      message: `has ${formats.length} formats, but a cell of "${field?.name}" can hold only ${maxFiles === 1 ? "one file" : `${maxFiles} files`}. Request fewer formats, or name another field.`,
    });
  const mode = overwriteExisting ? "replace" : "append";
  if (!modes.includes(mode))
    problems.push({
      path: "$.overwriteExisting",
      code: "mode",
      message:
        mode === "append"
          ? `must be true: ${title} can only replace a cell's content.`
          : `must be false: ${title} can only add to a cell's content.`,
    });
  return problem === null ? field : undefined;
}

/** Why files cannot be written into this field; null when they can. */
function checkAttachmentField(
  { name, kind, native, writable }: FieldInfo,
  attachments: "native" | "link-cell",
): string | null {
  const isTextual = kind === "text" || kind === "json" || kind === "other";
  const isSuitable =
    kind === "attachment" || (attachments === "link-cell" && isTextual);
  if (!isSuitable)
    return `"${name}" is not an attachment field but ${native}. Name an attachment field.`;
  if (writable) return null;
  return kind === "attachment"
    ? `"${name}" is read-only. Name another field.`
    : `The connection does not write files or links to "${name}". Add it to the columns for links in the connection's settings, or name another field.`;
}

function suggestAttachmentField(wanted: string, { fields }: TableInfo): string {
  const attachments = fields.filter(({ kind }) => kind === "attachment");
  const suggested = attachments.length > 0 ? attachments : fields;
  return suggestName(
    wanted,
    suggested.map(({ name }) => name),
  );
}

function invalidRequest(message: string): PlatenError {
  return new PlatenError("invalid_request", message);
}
