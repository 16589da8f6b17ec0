import type { MigrationInterface, QueryRunner } from "typeorm";

/** Gives databases from before `Initial` what new ones have. */
export class TakenOver implements MigrationInterface {
  readonly name = "TakenOver0000000000042";

  async up(runner: QueryRunner): Promise<void> {
    await runner.dropTable("plugin_failure", true);
    if (runner.dataSource.options.type === "better-sqlite3") return;
    // These were added with the character set of the database, which may be unable to hold their text.
    for (const [table, column] of [
      ["batch", "source"],
      ["document_record", "source"],
      ["link", "records"],
      ["organization", "brand"],
      ["template", "partials"],
      ["template_version", "partials"],
    ] as const)
      await runner.query(
        `ALTER TABLE ${table} MODIFY ${column} longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL`,
      );
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
