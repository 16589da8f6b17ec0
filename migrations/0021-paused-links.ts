import {
  type MigrationInterface,
  type QueryRunner,
  TableColumn,
} from "typeorm";
import { datetime, nullable } from "./table.js";

/** Links that create nothing until they are resumed. */
export class PausedLinks implements MigrationInterface {
  readonly name = "PausedLinks0000000000021";

  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumn({
      name: "paused_at",
      ...nullable(datetime),
    });
    if (!(await runner.hasColumn("link", column.name)))
      await runner.addColumn("link", column);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn("link", "paused_at");
  }
}
