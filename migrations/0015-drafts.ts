import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  createTable,
  datetime,
  id,
  integer,
  longtext,
  nullable,
  primary,
  type TableShape,
  varchar,
} from "./table.js";

/** Template drafts, and the records that templates were recently rendered with. */
export class Drafts implements MigrationInterface {
  readonly name = "Drafts0000000000015";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "template_draft", templateDraft);
    await createTable(runner, "recent_payload", recentPayload);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("recent_payload", true);
    await runner.dropTable("template_draft", true);
  }
}

const templateDraft: TableShape = {
  columns: {
    template_id: primary(id),
    organization_id: id,
    revision: integer,
    definition: nullable(longtext),
    base_definition: nullable(longtext),
    base_hash: nullable(varchar(64)),
    base_updated_at: nullable(datetime),
    base_version: nullable(integer),
    saved_by_id: nullable(id),
    saved_at: nullable(datetime),
  },
  references: {
    fk_template_draft_template: ["template_id", "template"],
    fk_template_draft_organization: ["organization_id", "organization"],
    fk_template_draft_saved_by: ["saved_by_id", "user"],
  },
};

const recentPayload: TableShape = {
  columns: {
    id: primary(id),
    organization_id: id,
    template_id: id,
    source: varchar(32),
    data: longtext,
    created_at: datetime,
  },
  references: {
    fk_recent_payload_organization: ["organization_id", "organization"],
    fk_recent_payload_template: ["template_id", "template"],
  },
  indexes: {
    ix_recent_payload_template: ["template_id", "created_at"],
    ix_recent_payload_created: ["created_at"],
  },
};
