import {
  type MigrationInterface,
  type QueryRunner,
  TableColumn,
} from "typeorm";
import { boolean, varchar } from "./table.js";

/** What a batch requires of its data. */
export class DataChecks implements MigrationInterface {
  readonly name = "DataChecks0000000000016";

  async up(runner: QueryRunner): Promise<void> {
    for (const column of columnsFor(runner))
      if (!(await runner.hasColumn("batch", column.name)))
        await runner.addColumn("batch", column);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ["unknown_fields", "strict"])
      await runner.dropColumn("batch", column);
  }
}

/** Batches that were accepted before are rendered as they were. */
function columnsFor(runner: QueryRunner): TableColumn[] {
  const isMysql = runner.dataSource.options.type !== "better-sqlite3";
  const bytewise = { charset: "utf8mb4", collation: "utf8mb4_bin" };
  return [
    new TableColumn({ name: "strict", ...boolean, default: "0" }),
    new TableColumn({
      name: "unknown_fields",
      ...varchar(32),
      default: "'allow'",
      ...(isMysql && bytewise),
    }),
  ];
}
