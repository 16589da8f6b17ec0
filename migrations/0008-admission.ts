import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  big,
  count,
  createTable,
  id,
  instant,
  line,
  long,
  optional,
  primary,
} from "./table.js";

/** Requests that are answered once, and how many were made. */
export class Admission implements MigrationInterface {
  readonly name = "Admission0000000000008";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "idempotency_key", {
      columns: {
        organization_id: primary(id),
        key: primary(line),
        claim: id,
        claimed_until: instant,
        fingerprint: optional(id),
        answer: optional(long),
        forget_at: instant,
      },
      references: {
        fk_idempotency_key_organization: ["organization_id", "organization"],
      },
      indexes: { ix_idempotency_key_forget: ["forget_at"] },
    });
    await createTable(runner, "request_count", {
      columns: { bucket: primary(line), minute: primary(big), requests: count },
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("request_count", true);
    await runner.dropTable("idempotency_key", true);
  }
}
