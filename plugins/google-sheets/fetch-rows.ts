import {
  PlatformError,
  type Row,
  type RowsFound,
  type TableScope,
} from "../../core/plugin-api/index.js";
import { cellValue } from "./cell-value.js";
import type { LinkColumn } from "./credentials.js";
import { spreadsheetOf } from "./describe.js";
import type { GoogleClient } from "./google-client.js";
import { readSheets, type SheetRow, type SheetRows } from "./sheet-rows.js";
import type { SheetSettings } from "./sheet-settings.js";
import { readShapes, type SheetShape } from "./sheet-shape.js";
import { textOf } from "./sheet-text.js";

/** Two requests, however many ids are asked for: the kinds of the columns, and the values of the sheets. */
export async function fetchRows(
  client: GoogleClient,
  settings: SheetSettings,
  scope: TableScope,
  ids: readonly string[],
  fieldIds?: readonly string[],
): Promise<RowsFound> {
  const spreadsheetId = spreadsheetOf(scope);
  const { tableId } = scope;
  const inverse = settings
    .inverseLinksOf(tableId)
    .filter(({ inverse: field }) => fieldIds?.includes(field) ?? true);
  const others = inverse.map(({ sheet }) => sheet);
  const titles = [...new Set([tableId, ...others])];
  const [shape] = await readShapes(client, spreadsheetId, [tableId]);
  const sheets = await readSheets(client, settings, spreadsheetId, titles);
  const sheet = sheets.find(({ title }) => title === tableId);
  if (!shape || !sheet) throw new Error("a sheet that was read is not there");
  const columns = new RowColumns(shape, settings, fieldIds);
  const linked = inverse.map(({ inverse: field, ...link }) => {
    const other = sheets.find(({ title }) => title === link.sheet);
    return { field, keys: keysByTarget(other, link) };
  });
  const wanted = [...new Set(ids)];
  const rows = wanted.flatMap((id) => {
    const row = sheet.rows.get(id);
    if (!row) return [];
    const found = columns.rowOf(row);
    for (const { field, keys } of linked) {
      delete found.fields[field];
      found.links[field] = keys.get(id) ?? [];
    }
    return [found];
  });
  return { rows, missing: wanted.filter((id) => !sheet.rows.has(id)) };
}

/** How the cells of a row become the fields and links that were asked for. */
class RowColumns {
  private readonly columns: SheetShape["columns"];

  constructor(
    private readonly shape: SheetShape,
    private readonly settings: SheetSettings,
    fieldIds: readonly string[] | undefined,
  ) {
    const { title, columns } = shape;
    const names = new Set(columns.map(({ name }) => name));
    for (const { inverse } of settings.inverseLinksOf(title))
      names.add(inverse);
    const unknown = fieldIds?.find((id) => !names.has(id));
    if (unknown !== undefined) throw noColumn(title, unknown);
    this.columns = columns.filter(
      ({ name }) => fieldIds?.includes(name) ?? true,
    );
  }

  rowOf({ key, cells }: SheetRow): Row {
    const { title, timeZone } = this.shape;
    const row: Row = { id: key, fields: {}, links: {} };
    for (const column of this.columns) {
      const { name, index } = column;
      const link = this.settings.linkAt(title, name);
      if (link) row.links[name] = keysIn(cells[index], link.many);
      else {
        const isFile = this.settings.takesFiles(name);
        const kind = isFile ? "attachment" : column.kind;
        const value = cellValue(cells[index], { ...column, kind }, timeZone);
        if (value !== null) row.fields[name] = value;
      }
    }
    return row;
  }
}

export function noColumn(sheet: string, column: string): PlatformError {
  return new PlatformError(
    "invalid_field",
    `the sheet "${sheet}" has no column "${column}". Was it renamed?`,
    { fieldId: column },
  );
}

/** Several keys are parted by commas, semicolons or lines. */
function keysIn(value: unknown, many = true): string[] {
  const text = textOf(value);
  const keys = many ? text.split(/[,;\n]/) : [text];
  return [
    ...new Set(keys.map((key) => key.trim()).filter((key) => key !== "")),
  ];
}

/** The keys of the rows that name each row of the other sheet, in their order. */
function keysByTarget(
  sheet: SheetRows | undefined,
  { column, many }: LinkColumn,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (!sheet) return found;
  const place = sheet.column(column);
  if (!place) throw noColumn(sheet.title, column);
  for (const { key, cells } of sheet.rows.values())
    for (const target of keysIn(cells[place.index], many))
      found.set(target, [...(found.get(target) ?? []), key]);
  return found;
}
