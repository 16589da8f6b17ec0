import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  boolean,
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

/** Documents. */
export class Documents implements MigrationInterface {
  readonly name = "Documents0000000000003";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "document", {
      columns: {
        id: primary(id),
        organization_id: id,
        template_id: id,
        template_version: integer,
        definition_hash: id,
        status: varchar(32),
        formats: longtext,
        image_type: varchar(32),
        is_test: boolean,
        outputs: longtext,
        metadata: nullable(longtext),
        file_name: nullable(varchar(255)),
        error: nullable(text),
        attempts: integer,
        interruptions: integer,
        is_retrying: boolean,
        batch_id: nullable(id),
        batch_index: nullable(integer),
        lock_token: nullable(id),
        locked_until: nullable(datetime),
        expires_at: datetime,
        purge_at: nullable(datetime),
        completed_at: nullable(datetime),
        created_by_id: id,
        created_at: datetime,
        updated_at: datetime,
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
