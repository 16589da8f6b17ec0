import {
  type MigrationInterface,
  type QueryRunner,
  TableColumn,
} from "typeorm";
import { boolean, datetime, nullable } from "./table.js";

/** One job for each cell that files are written to, and when each write-back goes on. */
export class WriteBackQueue implements MigrationInterface {
  readonly name = "WriteBackQueue0000000000017";

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column] of columns)
      if (!(await runner.hasColumn(table, column.name)))
        await runner.addColumn(table, column);
    await runner.query(
      "UPDATE write_back SET next_attempt_at = created_at WHERE status = 'pending'",
    );
    await replaceJobs(runner, "cell");
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceJobs(runner, "document_id");
    for (const [table, column] of columns)
      await runner.dropColumn(table, column.name);
  }
}

const columns: readonly [table: string, TableColumn][] = [
  [
    "record_batch",
    new TableColumn({ name: "is_urgent", ...boolean, default: "0" }),
  ],
  [
    "write_back",
    new TableColumn({ name: "next_attempt_at", ...nullable(datetime) }),
  ],
];

/** Gives each pending write-back a job, whose row is named by this column. */
async function replaceJobs(
  runner: QueryRunner,
  column: "cell" | "document_id",
): Promise<void> {
  await runner.query("DELETE FROM job WHERE kind = 'write-back'");
  await runner.query(
    `INSERT INTO job (kind, row_id, share, ready_at, attempts)
     SELECT 'write-back', ${column}, MIN(organization_id), MIN(created_at), 0
     FROM write_back WHERE status = 'pending' GROUP BY ${column}`,
  );
}
