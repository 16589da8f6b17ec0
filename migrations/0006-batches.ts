import { type MigrationInterface, type QueryRunner, TableIndex } from "typeorm";
import {
  createTable,
  datetime,
  id,
  integer,
  longtext,
  nullable,
  primary,
  varchar,
} from "./table.js";

/** Batches and their records. */
export class Batches implements MigrationInterface {
  readonly name = "Batches0000000000006";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "batch", batch);
    await createTable(runner, "document_record", record);
    const document = await runner.getTable("document");
    if (!document?.indices.some(({ name }) => name === place.name))
      await runner.createIndex("document", place);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex("document", place);
    await runner.dropTable("document_record", true);
    await runner.dropTable("batch", true);
  }
}

const batch = {
  columns: {
    id: primary(id),
    organization_id: id,
    template_id: id,
    template_version: integer,
    definition_hash: id,
    status: varchar(32),
    total_count: integer,
    remaining: integer,
    formats: longtext,
    image_type: varchar(32),
    render_options: nullable(longtext),
    retry_of: nullable(id),
    cancelled_at: nullable(datetime),
    records_purge_at: nullable(datetime),
    created_by_id: id,
    created_at: datetime,
    updated_at: datetime,
    completed_at: nullable(datetime),
  },
  references: {
    fk_batch_organization: ["organization_id", "organization"],
    fk_batch_template: ["template_id", "template"],
    fk_batch_created_by: ["created_by_id", "user"],
  } satisfies Record<string, [string, string]>,
  indexes: {
    ix_batch_created: ["organization_id", "created_at", "id"],
    ix_batch_status: ["status", "organization_id"],
    ix_batch_records: ["records_purge_at"],
  },
  uniques: { ux_batch_retry_of: ["retry_of"] },
};

const record = {
  columns: { document_id: primary(id), batch_id: id, data: longtext },
  indexes: { ix_document_record_batch: ["batch_id"] },
};

const place = new TableIndex({
  name: "ux_document_batch_index",
  columnNames: ["batch_id", "batch_index"],
  isUnique: true,
});
