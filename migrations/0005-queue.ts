import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  count,
  createTable,
  id,
  instant,
  line,
  optional,
  primary,
} from "./table.js";

/** Wake-ups for the workers. */
export class Queue implements MigrationInterface {
  readonly name = "Queue0000000000005";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "job", {
      columns: {
        kind: primary(id),
        row_id: primary(id),
        share: id,
        ready_at: instant,
        attempts: count,
        lock_token: optional(id),
        locked_by: optional(line),
        woken_at: optional(instant),
      },
      indexes: { ix_job_ready: ["kind", "share", "ready_at"] },
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("job", true);
  }
}
