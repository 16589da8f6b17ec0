import { z } from "zod";
import { type FakeSheet, parseRange } from "./fake-sheet.js";
import { googleRefusals } from "./google-refusal.js";

export interface FakeSpreadsheet {
  id: string;
  title: string;
  timeZone: string;
  /** Who may see it. */
  users: Set<string>;
  sheets: FakeSheet[];
}

const update = z.strictObject({
  range: z.string().optional(),
  majorDimension: z.literal("ROWS").optional(),
  values: z.array(z.array(z.union([z.string(), z.number(), z.boolean()]))),
});

function sheetOf({ sheets }: FakeSpreadsheet, range: string) {
  const place = parseRange(range);
  const sheet = sheets.find(({ title }) => title === place.title);
  if (!sheet) throw googleRefusals.range(range);
  return { sheet, place };
}

/** As `spreadsheets.values.batchGet` answers. */
export function batchGet(spreadsheet: FakeSpreadsheet, query: URLSearchParams) {
  const valueRanges = query.getAll("ranges").map((range) => {
    const { sheet, place } = sheetOf(spreadsheet, range);
    const values = sheet.values(place.from, place.to, place.column);
    // Of a range without any value, it has no `values`.
    return { range, ...(values.length > 0 && { values }) };
  });
  return { spreadsheetId: spreadsheet.id, valueRanges };
}

/** As `spreadsheets.get` answers: cells only where the fields name them. */
export function show(spreadsheet: FakeSpreadsheet, query: URLSearchParams) {
  const { id: spreadsheetId, title, timeZone, sheets } = spreadsheet;
  const asked = query.getAll("ranges");
  const ranges = asked.map((range) => sheetOf(spreadsheet, range));
  const hasData = (query.get("fields") ?? "").includes("data(");
  const shown =
    asked.length === 0
      ? sheets
      : [...new Set(ranges.map(({ sheet }) => sheet))];
  return {
    spreadsheetId,
    properties: { title, timeZone },
    sheets: shown.map((sheet) => ({
      properties: { title: sheet.title, sheetType: "GRID" },
      ...(hasData && {
        data: ranges
          .filter((one) => one.sheet === sheet)
          .map(({ place }) => sheet.gridData(place.from, place.to)),
      }),
    })),
  };
}

/** As `spreadsheets.values.update` does, of a single cell. */
export function put(
  spreadsheet: FakeSpreadsheet,
  range: string,
  { query, body: bytes }: { query: URLSearchParams; body: Uint8Array },
) {
  const { sheet, place } = sheetOf(spreadsheet, range);
  const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const read = update.safeParse(body);
  if (!read.success)
    throw googleRefusals.argument("Invalid JSON payload received.");
  const value = read.data.values[0]?.[0] ?? "";
  const isFormula =
    query.get("valueInputOption") === "USER_ENTERED" &&
    String(value).startsWith("=");
  const cell = isFormula ? { value: "#NAME?", formula: String(value) } : value;
  sheet.set(place.from, place.column, cell);
  return { spreadsheetId: spreadsheet.id, updatedRange: range };
}
