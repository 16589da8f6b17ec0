import type { RowSearch, TableScope } from "../../core/plugin-api/index.js";
import { readCatalog } from "./catalog.js";
import type { SqlContext } from "./credentials.js";
import { withDatabase } from "./database.js";
import { isBlob, keyOf, tableNamed } from "./fields.js";
import { from, place, quoted, textOf } from "./statement.js";

/** The keys of the first rows, or of those whose column holds the text, in the order of the keys. */
export function findRows(
  context: SqlContext,
  scope: TableScope,
  { limit, text = "", fieldId }: RowSearch,
): Promise<string[]> {
  return withDatabase(context, scope, false, async (database) => {
    const { engine } = database;
    const table = tableNamed(await readCatalog(database), scope.tableId);
    const key = quoted(engine, keyOf(table).name);
    const column = table.columns.find(
      (one) => one.name === fieldId && !isBlob(one),
    );
    const isSearch = text !== "" && column !== undefined;
    const as = engine === "mysql" ? "CHAR" : "TEXT";
    const filter = isSearch
      ? `WHERE LOWER(CAST(${quoted(engine, column.name)} AS ${as})) LIKE ${place(engine, 1)} ESCAPE '!'`
      : "";
    const found = await database.rows(
      `SELECT ${key} AS k FROM ${from(database, table.name)} ${filter} ORDER BY ${key} LIMIT ${Math.trunc(limit)}`,
      isSearch ? [`%${text.toLowerCase().replaceAll(/[!%_]/g, "!$&")}%`] : [],
    );
    return found.map((one) => textOf(one["k"]));
  });
}
