import {
  type MigrationInterface,
  type QueryRunner,
  TableColumn,
} from "typeorm";
import { longtext, nullable } from "./table.js";

/** Batches of the rows of a file: its columns, and the cells of each row. */
export class FileSource implements MigrationInterface {
  readonly name = "FileSource0000000000031";

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ["batch", "document_record"]) {
      const column = new TableColumn({ name: "source", ...nullable(longtext) });
      if (!(await runner.hasColumn(table, column.name)))
        await runner.addColumn(table, column);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn("document_record", "source");
    await runner.dropColumn("batch", "source");
  }
}
