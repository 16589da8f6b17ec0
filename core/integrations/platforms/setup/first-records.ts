import type { Row, TableInfo, TableScope } from "../../../plugin-api/index.js";
import type { OpenPlatform } from "../../host/index.js";
import { cellValue } from "../mapping/cell-value.js";
import type { Suggested } from "./suggest-sources.js";

type Samples = Record<string, string>;

const limits = { timeoutMs: 15_000 };
const longest = 120;

/**
 * What the first record holds, for each collection: the root's own, and what it links to, one link after the other. Of
 * a collection that the first record does not lead to, nothing.
 */
export async function samplesOf(
  platform: OpenPlatform,
  scopeOf: (tableId: string) => TableScope,
  collections: readonly Suggested[],
): Promise<Map<string, Samples>> {
  const rows = new Map<string, Row>();
  const [root] = collections;
  const first = root && (await firstRow(platform, scopeOf(root.table.id)));
  if (root && first) rows.set(root.id, first);
  for (const { id, fields } of collections)
    for (const { target, source } of fields) {
      const to = collections.find((one) => one.id === target);
      const [linked] = rows.get(id)?.links[source ?? ""] ?? [];
      if (!to || linked === undefined || rows.has(to.id)) continue;
      const row = await rowOf(platform, scopeOf(to.table.id), linked);
      if (row) rows.set(to.id, row);
    }
  return new Map(
    collections.map(({ id, table }) => [id, textsOf(table, rows.get(id))]),
  );
}

/** Undefined: the table is empty, or its platform cannot look for records. */
export async function firstRow(
  platform: OpenPlatform,
  scope: TableScope,
): Promise<Row | undefined> {
  const [id] = (await platform.findRows(scope, { limit: 1 }, limits)) ?? [];
  return id === undefined ? undefined : rowOf(platform, scope, id);
}

async function rowOf(
  platform: OpenPlatform,
  scope: TableScope,
  id: string,
): Promise<Row | undefined> {
  const { rows } = await platform.fetchRows(scope, [id], undefined, limits);
  return rows[0];
}

function textsOf(
  { fields }: Pick<TableInfo, "fields">,
  row: Row | undefined,
): Samples {
  const texts: Samples = {};
  for (const { id, kind } of fields) {
    const count = row?.links[id]?.length ?? 0;
    const value =
      kind === "link" ? linksInWords(count) : cellText(row?.fields[id], kind);
    if (value !== "") texts[id] = value;
  }
  return texts;
}

function linksInWords(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "1 linked record" : `${count} linked records`;
}

/** A cell as people read it. */
export function cellText(
  value: unknown,
  kind: TableInfo["fields"][number]["kind"],
): string {
  const told = cellValue(value, { type: "String", kind });
  const text =
    typeof told === "string" || typeof told === "number"
      ? String(told)
      : typeof told === "boolean"
        ? { true: "Yes", false: "No" }[`${told}`]
        : "";
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
