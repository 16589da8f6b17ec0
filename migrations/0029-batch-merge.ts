import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  bigint,
  createTable,
  datetime,
  id,
  integer,
  longtext,
  nullable,
  primary,
  text,
  varchar,
} from "./table.js";

/** The one file of a batch's documents. */
export class BatchMerges implements MigrationInterface {
  readonly name = "BatchMerges0000000000029";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "batch_merge", {
      columns: {
        batch_id: primary(id),
        organization_id: id,
        options: longtext,
        status: varchar(32),
        page_count: nullable(integer),
        size_bytes: nullable(bigint),
        storage_key: nullable(varchar(255)),
        left_out: nullable(longtext),
        error: nullable(text),
        expires_at: nullable(datetime),
        updated_at: datetime,
      },
      indexes: {
        ix_batch_merge_status: ["status"],
        ix_batch_merge_expires: ["expires_at"],
      },
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("batch_merge", true);
  }
}
