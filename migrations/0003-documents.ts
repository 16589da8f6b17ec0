import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  count,
  createTable,
  flag,
  id,
  instant,
  line,
  long,
  optional,
  primary,
  text,
  word,
} from "./table.js";

/** Documents: one record merged into one template. */
export class Documents implements MigrationInterface {
  readonly name = "Documents0000000000003";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "document", {
      columns: {
        id: primary(id),
        organization_id: id,
        template_id: id,
        template_version: count,
        definition_hash: id,
        status: word,
        formats: long,
        image_type: word,
        is_test: flag,
        outputs: long,
        metadata: optional(long),
        file_name: optional(line),
        error: optional(text),
        attempts: count,
        interruptions: count,
        is_retrying: flag,
        batch_id: optional(id),
        batch_index: optional(count),
        lock_token: optional(id),
        locked_until: optional(instant),
        expires_at: instant,
        purge_at: optional(instant),
        completed_at: optional(instant),
        created_by_id: id,
        created_at: instant,
        updated_at: instant,
      },
      references: {
        fk_document_organization: ["organization_id", "organization"],
        fk_document_template: ["template_id", "template"],
        fk_document_created_by: ["created_by_id", "user"],
      },
      indexes: documentIndexes,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("document", true);
  }
}

const documentIndexes = {
  ix_document_created: ["organization_id", "created_at", "id"],
  ix_document_status: ["organization_id", "status", "created_at", "id"],
  ix_document_template: ["organization_id", "template_id", "created_at", "id"],
  ix_document_batch: ["batch_id", "status"],
  ix_document_expiry: ["status", "expires_at"],
  ix_document_purge: ["purge_at"],
};
