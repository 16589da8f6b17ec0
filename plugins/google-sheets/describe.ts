import {
  type FieldInfo,
  PlatformError,
  type TableInfo,
} from "../../core/plugin-api/index.js";
import type { GoogleClient } from "./google-client.js";
import { checkKeys, type KeyColumn, noKeyColumn } from "./sheet-rows.js";
import type { SheetSettings } from "./sheet-settings.js";
import {
  readShapes,
  type SheetColumn,
  type SheetShape,
} from "./sheet-shape.js";

/** @throws PlatformError `bad_config` when no spreadsheet is named. */
export function spreadsheetOf({ baseId }: { baseId?: string }): string {
  if (baseId !== undefined && /^[\w-]{10,}$/.test(baseId)) return baseId;
  throw new PlatformError(
    "bad_config",
    "a spreadsheet is needed: give the part of its address after /d/ as baseId.",
  );
}

/** The sheets that have a key column, each key of which must be there once. */
export async function describeSheets(
  client: GoogleClient,
  settings: SheetSettings,
  spreadsheetId: string,
): Promise<TableInfo[]> {
  const titles = await listTitles(client, spreadsheetId);
  const all = await readShapes(client, spreadsheetId, titles);
  const keys = all.flatMap((shape) => keyColumnOf(shape, settings) ?? []);
  if (keys.length === 0) throw noKeys(settings);
  await checkKeys(client, spreadsheetId, keys);
  const keyed = new Set(keys.map(({ sheet }) => sheet));
  const shapes = all.filter(({ title }) => keyed.has(title));
  return shapes.map((shape) => tableOf(shape, settings));
}

async function listTitles(
  client: GoogleClient,
  spreadsheetId: string,
): Promise<string[]> {
  const what = `the spreadsheet ${spreadsheetId}`;
  const { sheets = [] } = await client.ask({ what }, () =>
    client.sheets.spreadsheets.get({
      spreadsheetId,
      fields: "sheets(properties(title,sheetType))",
    }),
  );
  return sheets.flatMap(({ properties }) =>
    properties?.sheetType === "GRID" ? (properties.title ?? []) : [],
  );
}

/** Null: the sheet has none. */
function keyColumnOf(
  { title: sheet, columns }: SheetShape,
  settings: SheetSettings,
): KeyColumn | null {
  const key = settings.keyColumnOf(sheet);
  if (key === null) return null;
  const column = columns.find(({ name }) => name === key);
  if (column) return { sheet, name: column.name, index: column.index };
  if (settings.namesKeyColumnOf(sheet)) throw noKeyColumn(sheet, key);
  return null;
}

function noKeys(settings: SheetSettings): PlatformError {
  const column = settings.keyColumnOf("") ?? "ID";
  return new PlatformError(
    "bad_config",
    `no sheet has a column "${column}" for its keys. Name the column in keyColumn of the connection.`,
  );
}

function tableOf(shape: SheetShape, settings: SheetSettings): TableInfo {
  const { title, columns } = shape;
  const primaryFieldId = settings.keyColumnOf(title);
  const own = columns.map((column) => fieldOf(title, column, settings));
  const inverse = settings
    .inverseLinksOf(title)
    .map(({ inverse: id, sheet, column }): FieldInfo => ({
      id,
      name: id,
      kind: "link",
      native: `rows of ${sheet} by ${column}`,
      writable: false,
      link: { tableId: sheet, many: true },
    }));
  const names = new Set(inverse.map(({ id }) => id));
  return {
    id: title,
    name: title,
    ...(primaryFieldId !== null && { primaryFieldId }),
    fields: [...own.filter(({ id }) => !names.has(id)), ...inverse],
  };
}

function fieldOf(
  sheet: string,
  { name, kind, native, isFormula }: SheetColumn,
  settings: SheetSettings,
): FieldInfo {
  const field = { id: name, name, native, writable: !isFormula };
  const link = settings.linkAt(sheet, name);
  if (link) {
    const { to: tableId, many = true } = link;
    return { ...field, kind: "link", writable: false, link: { tableId, many } };
  }
  if (settings.takesFiles(name)) return { ...field, kind: "attachment" };
  return { ...field, kind };
}
