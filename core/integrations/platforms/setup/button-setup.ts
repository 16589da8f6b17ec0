import type { OpenConnection } from "../../connections/index.js";
import {
  type AppVisitor,
  type AppWizard,
  type ChosenSources,
  type Log,
  type MappedCollection,
  type OpenedTable,
  PlatenError,
  type ProjectData,
  type TableInfo,
  type TablePlace,
  type TableRecord,
  type TableScope,
  errorText,
} from "../../../plugin-api/index.js";
import { getTemplateToRender } from "../../../documents/index.js";
import type { Store } from "../../../storage/database/index.js";
import { takesFiles } from "../attachment-field.js";
import type { Connections } from "../connections.js";
import { findTable, nameHint } from "../mapping/find-field.js";
import { draftOfTable } from "./draft-of-table.js";
import { cellText, samplesOf } from "./first-records.js";
import { sampleRecord } from "./sample-record.js";
import { suggestSources } from "./suggest-sources.js";

export interface ButtonSetupParts {
  store: Pick<Store, "read">;
  connections: Pick<Connections, "open">;
  log: Log;
}

interface Opened {
  connection: OpenConnection;
  table: TableInfo;
  tables: TableInfo[];
  scopeOf: (tableId: string) => TableScope;
}

const mostRecords = 20;

/** Steps towards a button in somebody's table: what is there, and what goes with what. Nothing is saved. */
export class ButtonSetup implements AppWizard {
  constructor(private readonly parts: ButtonSetupParts) {}

  async table(visitor: AppVisitor, place: TablePlace): Promise<OpenedTable> {
    const { connection, table } = await this.open(visitor, place);
    const { id, title, capabilities } = connection.platform;
    return {
      ...table,
      primaryFieldId: table.primaryFieldId ?? null,
      connectionName: connection.name,
      platform: { id, title },
      fileFieldIds: table.fields
        .filter((field) => takesFiles(field, capabilities.attachments))
        .map((field) => field.id),
      modes: capabilities.modes,
    };
  }

  async records(
    visitor: AppVisitor,
    place: TablePlace,
    text: string,
  ): Promise<TableRecord[] | null> {
    const { connection, table, scopeOf } = await this.open(visitor, place);
    const scope = scopeOf(table.id);
    const fieldId = table.primaryFieldId ?? table.fields[0]?.id;
    const { platform } = connection;
    const search = { text, ...(fieldId !== undefined && { fieldId }) };
    const ids = await platform.findRows(scope, {
      limit: mostRecords,
      ...(text !== "" && search),
    });
    if (ids === null) return null;
    const fields = fieldId === undefined ? [] : [fieldId];
    const { rows } = await platform.fetchRows(scope, ids, fields);
    const kind = table.fields.find(({ id }) => id === fieldId)?.kind ?? "text";
    return rows.map((row) => ({
      id: row.id,
      name: cellText(row.fields[fieldId ?? ""], kind) || row.id,
    }));
  }

  async draft(visitor: AppVisitor, place: TablePlace): Promise<ProjectData> {
    const opened = await this.open(visitor, place);
    const { connection, table, tables, scopeOf } = opened;
    const draft = draftOfTable(table, tables);
    const sample = await this.unlessRefused(
      sampleRecord(connection.platform, scopeOf(table.id), draft, opened),
    );
    return { ...draft, ...(sample && { sample }) };
  }

  async mapping(
    visitor: AppVisitor,
    place: TablePlace,
    templateId: string,
    chosen: ChosenSources,
  ): Promise<MappedCollection[]> {
    const { read } = this.parts.store;
    const choice = { organizationId: visitor.organizationId, templateId };
    const template = await getTemplateToRender(read, choice);
    const { schema } = await template.definition();
    const opened = await this.open(visitor, place);
    const { table, tables, connection, scopeOf } = opened;
    const suggested = suggestSources(schema, table, tables, chosen);
    const samples = await this.unlessRefused(
      samplesOf(connection.platform, scopeOf, suggested),
    );
    return suggested.map((one) => ({
      ...one,
      samples: samples?.get(one.id) ?? {},
    }));
  }

  private async open(
    { organizationId }: AppVisitor,
    { connectionId, baseId, tableId }: TablePlace,
  ): Promise<Opened> {
    const { connections } = this.parts;
    const connection = await connections.open(organizationId, connectionId);
    const tables = await connection.platform.describe(baseId ?? undefined);
    const table = findTable(tables, tableId) ?? noTable(tableId, tables);
    const base = baseId === null ? {} : { baseId };
    return {
      connection,
      table,
      tables,
      scopeOf: (id) => ({ ...base, tableId: id }),
    };
  }

  /** Samples help, and nothing depends on them. */
  private async unlessRefused<T>(work: Promise<T>): Promise<T | null> {
    try {
      return await work;
    } catch (error) {
      this.parts.log.info({ why: errorText(error) }, "no sample record");
      return null;
    }
  }
}

function noTable(asked: string, tables: readonly TableInfo[]): never {
  const names = tables.map(({ name }) => name);
  throw new PlatenError(
    "not_found",
    `There is no table "${asked}" that the connection may read. ${nameHint(asked, names)}`,
  );
}
