import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  createTable,
  datetime,
  id,
  integer,
  nullable,
  primary,
  varchar,
} from "./table.js";

/** Wake-ups for workers. */
export class Queue implements MigrationInterface {
  readonly name = "Queue0000000000005";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "job", {
      columns: {
        kind: primary(id),
        row_id: primary(id),
        share: id,
        ready_at: datetime,
        attempts: integer,
        lock_token: nullable(id),
        locked_by: nullable(varchar(255)),
        woken_at: nullable(datetime),
      },
      indexes: { ix_job_ready: ["kind", "share", "ready_at"] },
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("job", true);
  }
}
