import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  boolean,
  createTable,
  datetime,
  id,
  longtext,
  nullable,
  primary,
  type TableShape,
  varchar,
} from "./table.js";

/** Run links, with which people without an API key create documents, and their runs. */
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
    name: varchar(255),
    template_id: id,
    platform: varchar(255),
    connection_id: id,
    base_id: nullable(varchar(255)),
    table_id: varchar(255),
    table_name: varchar(255),
    primary_field_id: nullable(varchar(255)),
    field_id: nullable(varchar(255)),
    field_name: nullable(varchar(255)),
    formats: longtext,
    overwrite_existing: boolean,
    expires_at: nullable(datetime),
    revoked_at: nullable(datetime),
    created_by_id: id,
    created_at: datetime,
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
    names: longtext,
    created_at: datetime,
  },
  references: { fk_link_run_link: ["link_id", "link"] },
  indexes: { ix_link_run_link: ["link_id", "created_at"] },
};
