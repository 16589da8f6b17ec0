import type { sheets_v4 } from "@googleapis/sheets";
import { type ColumnKind, columnKind } from "./column-kind.js";
import type { GoogleClient } from "./google-client.js";
import { namedColumns, type NamedColumn, rangeOf } from "./sheet-text.js";

export interface SheetColumn extends NamedColumn, ColumnKind {}

export interface SheetShape {
  title: string;
  /** Of the spreadsheet: its dates and times are told in it. */
  timeZone: string;
  columns: readonly SheetColumn[];
}

const cell =
  "effectiveValue,userEnteredValue(formulaValue),effectiveFormat(numberFormat(type)),dataValidation(condition(type))";
const fields = `properties(timeZone),sheets(properties(title),data(rowData(values(${cell}))))`;

/** The columns of some sheets, with what their first ten rows tell of their kinds, in one request. */
export async function readShapes(
  client: GoogleClient,
  spreadsheetId: string,
  titles: readonly string[],
): Promise<SheetShape[]> {
  const what = `the sheet ${titles.map((title) => `"${title}"`).join(", ")}`;
  const { properties, sheets = [] } = await client.ask({ what }, () =>
    client.sheets.spreadsheets.get({
      spreadsheetId,
      ranges: titles.map((title) => rangeOf(title, "1:11")),
      fields,
    }),
  );
  const timeZone = properties?.timeZone ?? "Etc/UTC";
  return titles.map((title) => {
    const sheet = sheets.find((one) => one.properties?.title === title);
    return { title, timeZone, columns: columnsOf(sheet?.data?.[0]) };
  });
}

function columnsOf(data: sheets_v4.Schema$GridData | undefined): SheetColumn[] {
  const [header = {}, ...rows] = data?.rowData ?? [];
  const names = (header.values ?? []).map(
    ({ effectiveValue: value }) =>
      value?.stringValue ?? value?.numberValue ?? value?.boolValue,
  );
  return namedColumns(names).map((column) => ({
    ...column,
    ...columnKind(rows.map(({ values }) => values?.[column.index] ?? {})),
  }));
}
