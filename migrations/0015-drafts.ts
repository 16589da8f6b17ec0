import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  count,
  createTable,
  id,
  instant,
  long,
  optional,
  primary,
  sized,
  type TableShape,
  word,
} from "./table.js";

/** What people design and have not published, and the records that templates were last rendered with. */
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
    revision: count,
    definition: optional(long),
    base_definition: optional(long),
    base_hash: optional(sized(64)),
    base_updated_at: optional(instant),
    base_version: optional(count),
    saved_by_id: optional(id),
    saved_at: optional(instant),
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
    source: word,
    data: long,
    created_at: instant,
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
