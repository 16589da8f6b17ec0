import type { Engine } from "../../../plugins/sql/settings.js";

/** Of rows: invoices with none, 30 and 210 lines; a customer; a table without a usable key. */
export const lineCounts = [0, 30, 210] as const;

const types: Readonly<Record<Engine, { blob: string; time: string }>> = {
  postgres: { blob: "bytea", time: "timestamptz" },
  mysql: { blob: "mediumblob", time: "datetime" },
  sqlite: { blob: "blob", time: "datetime" },
};

/** The statements that make a small shop. The names hold what only careful quoting survives. */
export function shopSql(engine: Engine): string[] {
  const q = (name: string) =>
    engine === "mysql" ? `\`${name}\`` : `"${name}"`;
  const { blob, time } = types[engine];
  const lines = lineCounts.flatMap((count, invoice) =>
    Array.from({ length: count }, () => invoice + 1),
  );
  return [
    "CREATE TABLE customer (id varchar(36) PRIMARY KEY, name varchar(80) NOT NULL)",
    `CREATE TABLE invoice (id integer PRIMARY KEY, ${q("no. of order; --")} varchar(80), total decimal(12, 2),
      paid boolean, due date, made ${time}, customer_id varchar(36) REFERENCES customer (id), scan ${blob}, papers text
      ${engine === "mysql" ? ", FOREIGN KEY (customer_id) REFERENCES customer (id)" : ""})`,
    `CREATE TABLE line (id integer PRIMARY KEY, invoice_id integer REFERENCES invoice (id), what varchar(80)
      ${engine === "mysql" ? ", FOREIGN KEY (invoice_id) REFERENCES invoice (id)" : ""})`,
    "CREATE TABLE pair (a integer, b integer, PRIMARY KEY (a, b))",
    "INSERT INTO customer VALUES ('c-1', 'Ada')",
    ...lineCounts.map(
      (_count, at) =>
        `INSERT INTO invoice (id, total, paid, due, made, customer_id, ${q("no. of order; --")}) VALUES
         (${at + 1}, 1234.50, true, '2026-01-02', '2026-01-02 10:00:00', ${at === 1 ? "'c-1'" : "NULL"}, 'R-${at}')`,
    ),
    ...lines.map(
      (invoice, at) =>
        `INSERT INTO line VALUES (${at + 1}, ${invoice}, 'line ${at + 1}')`,
    ),
  ];
}

/** The ids of each invoice's lines. */
export function linesOf(): Record<string, string[]> {
  let next = 1;
  return Object.fromEntries(
    lineCounts.map((count, at) => [
      String(at + 1),
      Array.from({ length: count }, () => String(next++)),
    ]),
  );
}
