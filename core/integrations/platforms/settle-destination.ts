import type { OpenConnection } from "../connections/index.js";
import {
  type Deadline,
  type FieldInfo,
  PlatenError,
  type Problem,
  type TableInfo,
  type TableScope,
} from "../../plugin-api/index.js";
import {
  type DataSource,
  getDataSource,
  type ProjectData,
} from "../../definition/index.js";
import { attachmentField } from "./attachment-field.js";
import { chooseConnection } from "./choose-connection.js";
import type { Connections } from "./connections.js";
import type { Destination } from "./destination.js";
import { findTable, nameHint } from "./mapping/find-field.js";
import { planWalk } from "./mapping/plan-walk.js";
import type { WalkPlan } from "./mapping/walk-plan.js";
import type { DestinationRequest } from "./records-request.js";

/** Where the records are, and how they are read: all of it seen on the platform. */
export interface SettledDestination {
  connection: OpenConnection;
  scope: TableScope;
  table: TableInfo;
  plan: WalkPlan;
  field: FieldInfo | undefined;
}

/**
 * Finds connection, table, every field of the template's schema and the attachment field on the platform.
 * @throws PlatenError that names all that is not there.
 */
export async function settleDestination(
  connections: Connections,
  request: DestinationRequest,
  definition: ProjectData,
  deadline: Deadline,
): Promise<SettledDestination> {
  const source = getDataSource(definition);
  const connection = await chooseConnection(connections, request, source);
  const { platform } = connection;
  const baseId = request.baseId ?? source?.baseId ?? undefined;
  const limits = { timeoutMs: deadline.remainingMs };
  const tables = await platform.describe(baseId, limits);
  const table = rootTable(tables, request, definition, source);
  const { plan, problems } = planWalk(definition.schema, table, tables);
  const field = attachmentField(platform, table, request, problems);
  refuse(problems, table);
  const scope = { tableId: table.id, ...(baseId !== undefined && { baseId }) };
  return { connection, scope, table, plan, field };
}

/** The same as others see it. */
export function destinationView({
  connection,
  scope,
  table,
  field,
}: SettledDestination): Destination {
  return {
    connectionId: connection.id,
    connectionName: connection.name,
    baseId: scope.baseId ?? null,
    tableId: table.id,
    tableName: table.name,
    primaryFieldId: table.primaryFieldId ?? null,
    attachmentField: field ? { id: field.id, name: field.name } : null,
  };
}

function rootTable(
  tables: readonly TableInfo[],
  request: DestinationRequest,
  { schema }: ProjectData,
  source: DataSource | null,
): TableInfo {
  const asked =
    request.tableId ?? source?.tableId ?? schema[0]?.source?.tableId;
  if (asked === undefined)
    throw new PlatenError(
      "invalid_request",
      "Neither the request nor the template says in which table the records are. Send tableId, or set it in the " +
        "template's connection.",
    );
  const table = findTable(tables, asked);
  if (table) return table;
  const names = tables.map(({ name }) => name);
  throw new PlatenError(
    "invalid_request",
    `There is no table "${asked}" that the connection may read. ${nameHint(asked, names)}`,
  );
}

function refuse(problems: readonly Problem[], { name }: TableInfo): void {
  if (problems.length === 0) return;
  throw new PlatenError(
    "invalid_request",
    `The template and the request do not fit the table "${name}".`,
    { problems },
  );
}
