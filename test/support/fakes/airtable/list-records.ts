import { z } from "zod";
import type { FakeRecord, FakeTable } from "./fake-table.js";
import { Refusal, refusals } from "./refusal.js";

const query = z.object({
  filterByFormula: z.string().default(""),
  pageSize: z.number().int().min(1).max(100).default(100),
  returnFieldsByFieldId: z.boolean().default(false),
  fields: z.array(z.string()).optional(),
  offset: z.string().optional(),
});

/** Only ever a page of at most a hundred, and an offset when there are more. */
export function listRecords(table: FakeTable, body: unknown) {
  const read = query.safeParse(body);
  if (!read.success)
    throw Refusal.of(422, "INVALID_REQUEST_UNKNOWN", "Invalid request");
  const { filterByFormula, pageSize, fields, offset } = read.data;
  for (const name of fields ?? []) table.field(name);
  const all = filtered(table, filterByFormula);
  const from = Number(offset?.replace("itr", "") ?? 0);
  const next = from + pageSize;
  return {
    records: all
      .slice(from, next)
      .map((record) =>
        table.show(record, read.data.returnFieldsByFieldId, fields),
      ),
    ...(next < all.length && { offset: `itr${next}` }),
  };
}

/** Of all formulas, it knows those that name records, and the search for a text in a field. */
function filtered(
  { records }: FakeTable,
  formula: string,
): readonly FakeRecord[] {
  if (formula === "") return [...records.values()];
  const search = searched(formula);
  if (search)
    return [...records.values()].filter(({ cells }) =>
      holds(cells.get(search.fieldId), search.text),
    );
  const inner = /^OR\((.*)\)$/.exec(formula)?.[1];
  if (inner === undefined) throw refusals.formula(formula);
  const ids = inner.split(",").map((condition) => {
    const id = /^RECORD_ID\(\)='(rec[A-Za-z0-9]{14})'$/.exec(condition)?.[1];
    if (id === undefined) throw refusals.formula(formula);
    return id;
  });
  return [...records.values()].filter(({ id }) => ids.includes(id));
}

const searching =
  /^SEARCH\(LOWER\(("(?:[^"\\]|\\.)*")\), LOWER\(\{(fld[A-Za-z0-9]{14})\} & ""\)\)$/;

function searched(formula: string): { text: string; fieldId: string } | null {
  const [, text = '""', fieldId = ""] = searching.exec(formula) ?? [];
  if (fieldId === "") return null;
  return { text: z.string().parse(JSON.parse(text)).toLowerCase(), fieldId };
}

function holds(cell: unknown, text: string): boolean {
  const isPlain = typeof cell === "string" || typeof cell === "number";
  return isPlain && String(cell).toLowerCase().includes(text);
}
