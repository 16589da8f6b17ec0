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
  text,
  varchar,
} from "./table.js";

/** Assets, and connections to external services. */
export class Libraries implements MigrationInterface {
  readonly name = "Libraries0000000000004";

  async up(runner: QueryRunner): Promise<void> {
    await asset(runner);
    await createTable(runner, "connection", {
      columns: {
        id: primary(id),
        organization_id: id,
        kind: varchar(32),
        plugin: varchar(255),
        name: varchar(255),
        credentials: longtext,
        secret_key_id: varchar(32),
        settings: nullable(longtext),
        state: varchar(32),
        last_error: nullable(text),
        last_checked_at: nullable(datetime),
        created_by_id: id,
        created_at: datetime,
        updated_at: datetime,
      },
      references: {
        fk_connection_organization: ["organization_id", "organization"],
        fk_connection_created_by: ["created_by_id", "user"],
      },
      indexes: {
        ix_connection_list: ["organization_id", "created_at", "id"],
      },
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["connection", "asset"])
      await runner.dropTable(table, true);
  }
}

async function asset(runner: QueryRunner): Promise<void> {
  await createTable(runner, "asset", {
    columns: {
      id: primary(id),
      organization_id: id,
      folder_id: nullable(id),
      name: varchar(255),
      asset_type: varchar(32),
      mime_type: varchar(255),
      size_bytes: bigint,
      content_hash: id,
      storage_key: varchar(255),
      width: nullable(integer),
      height: nullable(integer),
      poster_key: nullable(varchar(255)),
      details: nullable(longtext),
      created_by_id: id,
      created_at: datetime,
      updated_at: datetime,
      trashed_at: nullable(datetime),
      trashed_by_id: nullable(id),
    },
    references: {
      fk_asset_organization: ["organization_id", "organization"],
      fk_asset_folder: ["folder_id", "folder"],
      fk_asset_created_by: ["created_by_id", "user"],
      fk_asset_trashed_by: ["trashed_by_id", "user"],
    },
    indexes: {
      ix_asset_list: ["organization_id", "created_at", "id"],
      ix_asset_content: ["organization_id", "content_hash"],
    },
  });
}
