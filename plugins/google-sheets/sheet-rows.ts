import { PlatformError } from "../../core/plugin-api/index.js";
import type { GoogleClient } from "./google-client.js";
import type { SheetSettings } from "./sheet-settings.js";
import {
  columnLetters,
  namedColumns,
  type NamedColumn,
  rangeOf,
  textOf,
} from "./sheet-text.js";

export interface SheetRow {
  key: string;
  /** In the sheet, from 1. It holds for the moment of reading only. */
  number: number;
  cells: readonly unknown[];
}

/** A sheet as it was read: its named columns, and its rows by their keys. */
export class SheetRows {
  readonly columns: readonly NamedColumn[];
  readonly rows: ReadonlyMap<string, SheetRow>;

  constructor(
    readonly title: string,
    values: readonly (readonly unknown[])[],
    keyColumn: string,
  ) {
    const [header = [], ...rest] = values;
    this.columns = namedColumns(header);
    const key = this.column(keyColumn);
    if (!key) throw noKeyColumn(title, keyColumn);
    this.rows = keyed(title, rest, key);
  }

  column(name: string): NamedColumn | undefined {
    return this.columns.find((one) => one.name === name);
  }
}

/** Rows without a key, such as totals, are no records. */
function keyed(
  title: string,
  rows: readonly (readonly unknown[])[],
  { index, name }: NamedColumn,
): Map<string, SheetRow> {
  const found = new Map<string, SheetRow>();
  for (const [at, cells] of rows.entries()) {
    const key = textOf(cells[index]);
    if (key === "") continue;
    const number = at + 2;
    const first = found.get(key);
    if (first) throw sameKey(title, name, key, [first.number, number]);
    found.set(key, { key, number, cells });
  }
  return found;
}

function sameKey(
  sheet: string,
  column: string,
  key: string,
  rows: readonly number[],
): PlatformError {
  return new PlatformError(
    "bad_config",
    `in the sheet "${sheet}", the rows ${rows.join(" and ")} have the same key "${key.slice(0, 60)}" in the column "${column}". ` +
      "Each row needs a key of its own.",
  );
}

export function noKeyColumn(sheet: string, column: string): PlatformError {
  return new PlatformError(
    "bad_config",
    `the sheet "${sheet}" has no column "${column}" for its keys. Add the column, or name another one in keyColumns of the connection.`,
  );
}

export interface KeyColumn {
  sheet: string;
  name: string;
  index: number;
}

/** @throws PlatformError `bad_config` when two rows of a sheet have the same key. */
export async function checkKeys(
  client: GoogleClient,
  spreadsheetId: string,
  keys: readonly KeyColumn[],
): Promise<void> {
  const ranges = keys.map(({ sheet, index }) => {
    const letters = columnLetters(index);
    return rangeOf(sheet, `${letters}2:${letters}`);
  });
  const valueRanges = await readRanges(client, spreadsheetId, ranges);
  for (const [at, { sheet, name }] of keys.entries())
    keyed(sheet, valueRanges[at] ?? [], { index: 0, name });
}

/** Reads whole sheets in one request: the row of a key is only known from all of them. */
export async function readSheets(
  client: GoogleClient,
  settings: SheetSettings,
  spreadsheetId: string,
  titles: readonly string[],
): Promise<SheetRows[]> {
  const ranges = titles.map((title) => rangeOf(title));
  const valueRanges = await readRanges(client, spreadsheetId, ranges);
  return titles.map((title, at) => {
    const keyColumn = settings.keyColumnOf(title);
    if (keyColumn === null)
      throw new PlatformError(
        "not_found",
        `the sheet "${title}" is left out by the connection.`,
      );
    return new SheetRows(title, valueRanges[at] ?? [], keyColumn);
  });
}

async function readRanges(
  client: GoogleClient,
  spreadsheetId: string,
  ranges: readonly string[],
): Promise<unknown[][][]> {
  const what = `the sheet ${ranges.join(", ")}`;
  const { valueRanges = [] } = await client.ask({ what }, () =>
    client.sheets.spreadsheets.values.batchGet({
      spreadsheetId,
      ranges: [...ranges],
      valueRenderOption: "UNFORMATTED_VALUE",
      dateTimeRenderOption: "SERIAL_NUMBER",
    }),
  );
  return valueRanges.map(({ values }) => values ?? []);
}
