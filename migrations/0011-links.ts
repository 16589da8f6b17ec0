import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  createTable,
  flag,
  id,
  instant,
  line,
  long,
  optional,
  primary,
  type TableShape,
} from "./table.js";

/** Links by which people without a key make documents of their records, and what came of each press. */
export class Links implements MigrationInterface {
  readonly name = "Links0000000000011";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "link", link);
    await createTable(runner, "link_run", linkRun);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("link_run", true);
    await runner.dropTable("link", true);
  }
}

const link: TableShape = {
  columns: {
    id: primary(id),
    organization_id: id,
    name: line,
    template_id: id,
    platform: line,
    connection_id: id,
    base_id: optional(line),
    table_id: line,
    table_name: line,
    primary_field_id: optional(line),
    field_id: optional(line),
    field_name: optional(line),
    formats: long,
    overwrite_existing: flag,
    expires_at: optional(instant),
    revoked_at: optional(instant),
    created_by_id: id,
    created_at: instant,
  },
  references: {
    fk_link_organization: ["organization_id", "organization"],
    fk_link_template: ["template_id", "template"],
    fk_link_created_by: ["created_by_id", "user"],
  },
  indexes: { ix_link_list: ["organization_id", "created_at", "id"] },
};

const linkRun: TableShape = {
  columns: {
    id: primary(id),
    link_id: id,
    organization_id: id,
    batch_id: id,
    names: long,
    created_at: instant,
  },
  references: { fk_link_run_link: ["link_id", "link"] },
  indexes: { ix_link_run_link: ["link_id", "created_at"] },
};
