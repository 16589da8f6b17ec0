import {
  type MigrationInterface,
  type QueryRunner,
  TableColumn,
} from "typeorm";
import { longtext, nullable } from "./table.js";

/** Links that take the records of a view or a filter, or those without a file. */
export class LinkRecords implements MigrationInterface {
  readonly name = "LinkRecords0000000000022";

  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumn({ name: "records", ...nullable(longtext) });
    if (!(await runner.hasColumn("link", column.name)))
      await runner.addColumn("link", column);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn("link", "records");
  }
}
