import type { MigrationInterface, QueryRunner } from "typeorm";
import { createTable, datetime, integer, primary, varchar } from "./table.js";

/** How many older rows long lists have, so that they are counted once. */
export class ListCounts implements MigrationInterface {
  readonly name = "ListCounts0000000000038";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "list_count", {
      columns: {
        list: primary(varchar(255)),
        row_count: integer,
        created_before: datetime,
        counted_at: datetime,
      },
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("list_count", true);
  }
}
