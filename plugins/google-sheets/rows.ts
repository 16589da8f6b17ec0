import { DateTime } from "luxon";
import type {
  FieldKind,
  Row,
  RowSearch,
  RowsFound,
} from "../../core/plugin-api/index.js";
import { parseFileLinks } from "./files.js";
import type { LinkColumn, SheetSettings } from "./settings.js";
import {
  createColumnError,
  type Sheet,
  type SheetRow,
  type SheetShape,
  type Spreadsheet,
  toText,
} from "./spreadsheet.js";

/** Takes two requests for any number of ids: one for the kinds of the columns, one for the values of the sheets. */
export async function fetchRows(
  spreadsheet: Spreadsheet,
  title: string,
  ids: readonly string[],
  fieldIds?: readonly string[],
): Promise<RowsFound> {
  const { settings } = spreadsheet;
  const inverseLinks = settings
    .findInverseLinks(title)
    .filter(({ inverse }) => fieldIds?.includes(inverse) ?? true);
  const others = inverseLinks.map(({ sheet }) => sheet);
  const [shape] = await spreadsheet.readShapes([title]);
  const sheets = await spreadsheet.readSheets([...new Set([title, ...others])]);
  const sheet = sheets.find((one) => one.title === title);
  if (!shape || !sheet) throw new Error("a sheet that was read is missing");
  const columns = selectColumns(shape, settings, fieldIds);
  const inverse = inverseLinks.map((link) => ({
    field: link.inverse,
    keys: groupKeysByTarget(
      sheets.find((one) => one.title === link.sheet),
      link,
    ),
  }));
  const uniqueIds = [...new Set(ids)];
  const rows = uniqueIds.flatMap((id) => {
    const found = sheet.rows.get(id);
    if (!found) return [];
    const row = toRow(found, { ...shape, columns }, settings);
    for (const { field, keys } of inverse) {
      delete row.fields[field];
      row.links[field] = keys.get(id) ?? [];
    }
    return [row];
  });
  return { rows, missing: uniqueIds.filter((id) => !sheet.rows.has(id)) };
}

/** Finds the first rows, or those whose cell contains the text. Google has no search, so the sheet is read. */
export async function findRows(
  spreadsheet: Spreadsheet,
  title: string,
  { limit, text = "", fieldId = "" }: RowSearch,
): Promise<string[]> {
  const { columns, rows } = await spreadsheet.readSheet(title);
  const column = columns.find(({ name }) => name === fieldId);
  const wanted = text.toLowerCase();
  return [...rows.values()]
    .filter(
      ({ cells }) =>
        !column || toText(cells[column.index]).toLowerCase().includes(wanted),
    )
    .slice(0, limit)
    .map(({ key }) => key);
}

/** @throws PlatformError `invalid_field` for a field that the sheet does not have. */
function selectColumns(
  { title, columns }: SheetShape,
  settings: SheetSettings,
  fieldIds: readonly string[] | undefined,
): SheetShape["columns"] {
  if (fieldIds === undefined) return columns;
  const names = new Set([
    ...columns.map(({ name }) => name),
    ...settings.findInverseLinks(title).map(({ inverse }) => inverse),
  ]);
  const unknown = fieldIds.find((id) => !names.has(id));
  if (unknown !== undefined) throw createColumnError(title, unknown);
  return columns.filter(({ name }) => fieldIds.includes(name));
}

function toRow(
  { key, cells }: SheetRow,
  { title, timeZone, columns }: SheetShape,
  settings: SheetSettings,
): Row {
  const row: Row = { id: key, fields: {}, links: {} };
  for (const { name, index, kind, native } of columns) {
    const link = settings.findLink(title, name);
    if (link) {
      row.links[name] = splitKeys(cells[index], link.many);
      continue;
    }
    const fieldKind = settings.acceptsFiles(name) ? "attachment" : kind;
    const value = toFieldValue(cells[index], fieldKind, native, timeZone);
    if (value !== null) row.fields[name] = value;
  }
  return row;
}

/** Keys are separated by commas, semicolons or line breaks. */
function splitKeys(value: unknown, many = true): string[] {
  const text = toText(value);
  const keys = many ? text.split(/[,;\n]/) : [text];
  return [
    ...new Set(keys.map((key) => key.trim()).filter((key) => key !== "")),
  ];
}

/** For each row of the other sheet, the keys of the rows that link to it, in their order. */
function groupKeysByTarget(
  sheet: Sheet | undefined,
  { column: name, many }: LinkColumn,
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  if (!sheet) return groups;
  const column = sheet.columns.find((one) => one.name === name);
  if (!column) throw createColumnError(sheet.title, name);
  for (const { key, cells } of sheet.rows.values())
    for (const target of splitKeys(cells[column.index], many))
      groups.set(target, [...(groups.get(target) ?? []), key]);
  return groups;
}

/** Google counts days from 1899-12-30. */
const epochMs = Date.UTC(1899, 11, 30);
const dayMs = 86_400_000;

/** Converts a cell: dates to ISO 8601, an empty cell to null. */
function toFieldValue(
  value: unknown,
  kind: FieldKind,
  native: string,
  timeZone: string,
): unknown {
  if (value === undefined || value === null || value === "") return null;
  if (kind === "attachment") return parseFileLinks(toText(value));
  if (kind !== "date" || typeof value !== "number") return value;
  return native === "DATE"
    ? new Date(epochMs + Math.floor(value) * dayMs).toISOString().slice(0, 10)
    : toIsoTime(value, timeZone);
}

/**
 * Times in a sheet are in the zone of the spreadsheet: an IANA zone or, where Google has none, an offset such as
 * "GMT-07:00".
 */
function toIsoTime(serial: number, timeZone: string): string {
  const wallClockMs = epochMs + Math.round(serial * 86_400) * 1000;
  const zone = timeZone.replace(/^GMT(?=[-+])/, "UTC");
  const text = DateTime.fromMillis(wallClockMs, { zone: "UTC" })
    .setZone(zone, { keepLocalTime: true })
    .toISO();
  if (text === null) throw new RangeError(`Unknown time zone: ${timeZone}`);
  return text;
}
