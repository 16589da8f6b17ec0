import type { MigrationInterface, QueryRunner } from "typeorm";
import { TableIndex } from "typeorm";

/** Templates of documents that were rendered from a definition in the request, and the locales of documents. */
export class InlineTemplates implements MigrationInterface {
  readonly name = "InlineTemplates0000000000034";

  async up(runner: QueryRunner): Promise<void> {
    const isMysql = runner.dataSource.options.type !== "better-sqlite3";
    const type = isMysql
      ? "varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL"
      : "varchar(64)";
    // Written out, since TypeORM copies the whole table on SQLite.
    for (const [table, column] of COLUMNS)
      if (!(await runner.hasColumn(table, column)))
        await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
    const { indices } = (await runner.getTable("template")) ?? { indices: [] };
    if (!indices.some(({ name }) => name === INDEX.name))
      await runner.createIndex("template", new TableIndex(INDEX));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex("template", INDEX.name);
    for (const [table, column] of COLUMNS)
      await runner.dropColumn(table, column);
  }
}

const COLUMNS = [
  ["template", "inline_hash"],
  ["document", "locale"],
] as const;

const INDEX = {
  name: "ux_template_inline",
  columnNames: ["organization_id", "inline_hash"],
  isUnique: true,
};
