import { join } from "node:path";
import Database from "better-sqlite3";
import type { DataFolder } from "./data-folder.js";

/** Of columns that are not the same in all rows: what SQLite computes them from, with `n` counting from 1. */
const DIFFERENT: Readonly<Record<string, string>> = {
  id: "printf('doc_0199%04x-%04x-7000-8000-%012x', n / 65536, n % 65536, n)",
  created_at: "strftime('%Y-%m-%d %H:%M:%f', 1700000000 + n, 'unixepoch')",
  purge_at: "NULL",
};

/** Makes `count` documents like the one that is there, a second apart, by SQL alone: no service may be running. */
export function multiplyDocuments(folder: DataFolder, count: number): void {
  const database = new Database(join(folder.path, "platen.sqlite"));
  database.pragma("synchronous = OFF");
  database.pragma("cache_size = -262144");
  const columns = database
    .prepare<[], { name: string }>("PRAGMA table_info(document)")
    .all()
    .map(({ name }) => name);
  const values = columns.map((name) => DIFFERENT[name] ?? `one.${name}`);
  database.exec(
    `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
     INSERT INTO document (${columns.join(", ")})
     SELECT ${values.join(", ")} FROM counted, (SELECT * FROM document LIMIT 1) AS one`,
  );
  database.close();
}
