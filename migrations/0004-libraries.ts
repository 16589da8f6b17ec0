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
  text,
  word,
} from "./table.js";

/** Media assets, and connections to outside services. */
export class Libraries implements MigrationInterface {
  readonly name = "Libraries0000000000004";

  async up(runner: QueryRunner): Promise<void> {
    await asset(runner);
    await createTable(runner, "connection", {
      columns: {
        id: primary(id),
        organization_id: id,
        kind: word,
        plugin: line,
        name: line,
        credentials: long,
        secret_key_id: word,
        settings: optional(long),
        state: word,
        last_error: optional(text),
        last_checked_at: optional(instant),
        created_by_id: id,
        created_at: instant,
        updated_at: instant,
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
      folder_id: optional(id),
      name: line,
      asset_type: word,
      mime_type: line,
      size_bytes: big,
      content_hash: id,
      storage_key: line,
      width: optional(count),
      height: optional(count),
      poster_key: optional(line),
      details: optional(long),
      created_by_id: id,
      created_at: instant,
      updated_at: instant,
      trashed_at: optional(instant),
      trashed_by_id: optional(id),
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
