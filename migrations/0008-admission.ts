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
  varchar,
} from "./table.js";

/** Idempotency keys and request counts for rate limits. */
export class Admission implements MigrationInterface {
  readonly name = "Admission0000000000008";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "idempotency_key", {
      columns: {
        organization_id: primary(id),
        key: primary(varchar(255)),
        claim: id,
        claimed_until: datetime,
        fingerprint: nullable(id),
        answer: nullable(longtext),
        forget_at: datetime,
      },
      references: {
        fk_idempotency_key_organization: ["organization_id", "organization"],
      },
      indexes: { ix_idempotency_key_forget: ["forget_at"] },
    });
    await createTable(runner, "request_count", {
      columns: {
        bucket: primary(varchar(255)),
        minute: primary(bigint),
        requests: integer,
      },
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("request_count", true);
    await runner.dropTable("idempotency_key", true);
  }
}
