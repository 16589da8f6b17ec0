import type { MigrationInterface, QueryRunner } from "typeorm";
import { addColumn, longtext } from "./table.js";

/** What the batch says of its lists is found once, when it is completed; those completed earlier name none. */
export class EmptyLists implements MigrationInterface {
  readonly name = "EmptyLists0000000000044";

  async up(runner: QueryRunner): Promise<void> {
    await addColumn(runner, "batch", "empty_lists", longtext);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
