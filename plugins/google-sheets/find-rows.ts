import type { RowSearch, TableScope } from "../../core/plugin-api/index.js";
import { spreadsheetOf } from "./describe.js";
import type { GoogleClient } from "./google-client.js";
import { readSheets } from "./sheet-rows.js";
import type { SheetSettings } from "./sheet-settings.js";
import { textOf } from "./sheet-text.js";

/** The keys of the first rows, or of those whose cell holds the text: Google looks for nothing, so the sheet is read. */
export async function findRows(
  client: GoogleClient,
  settings: SheetSettings,
  scope: TableScope,
  { limit, text = "", fieldId = "" }: RowSearch,
): Promise<string[]> {
  const spreadsheetId = spreadsheetOf(scope);
  const titles = [scope.tableId];
  const [sheet] = await readSheets(client, settings, spreadsheetId, titles);
  if (!sheet) return [];
  const place = sheet.column(fieldId)?.index;
  const wanted = text.toLowerCase();
  const fits = (cells: readonly unknown[]) =>
    place === undefined || textOf(cells[place]).toLowerCase().includes(wanted);
  return [...sheet.rows.values()]
    .filter(({ cells }) => fits(cells))
    .slice(0, limit)
    .map(({ key }) => key);
}
