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

/** Folders, templates and their versions. */
export class Templates implements MigrationInterface {
  readonly name = "Templates0000000000002";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "folder", {
      columns: {
        id: primary(id),
        organization_id: id,
        parent_id: nullable(id),
        kind: varchar(32),
        name: varchar(255),
        created_by_id: id,
        created_at: datetime,
        updated_at: datetime,
      },
      references: {
        fk_folder_organization: ["organization_id", "organization"],
        fk_folder_parent: ["parent_id", "folder"],
        fk_folder_created_by: ["created_by_id", "user"],
      },
      indexes: {
        ix_folder_list: ["organization_id", "kind", "created_at", "id"],
      },
    });
    await template(runner);
    await templateVersion(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["template_version", "template", "folder"])
      await runner.dropTable(table, true);
  }
}

async function template(runner: QueryRunner): Promise<void> {
  await createTable(runner, "template", {
    columns: {
      id: primary(id),
      organization_id: id,
      folder_id: nullable(id),
      name: varchar(255),
      search_name: varchar(512),
      description: nullable(text),
      template_type: varchar(32),
      data_source: nullable(longtext),
      thumbnail_key: nullable(varchar(255)),
      is_active: boolean,
      is_favorite: boolean,
      trashed_at: nullable(datetime),
      trashed_by_id: nullable(id),
      version: integer,
      definition: longtext,
      definition_hash: id,
      created_by_id: id,
      created_at: datetime,
      updated_at: datetime,
    },
    references: {
      fk_template_organization: ["organization_id", "organization"],
      fk_template_folder: ["folder_id", "folder"],
      fk_template_trashed_by: ["trashed_by_id", "user"],
      fk_template_created_by: ["created_by_id", "user"],
    },
    indexes: {
      ix_template_created: ["organization_id", "created_at", "id"],
      ix_template_updated: ["organization_id", "updated_at", "id"],
    },
  });
}

async function templateVersion(runner: QueryRunner): Promise<void> {
  await createTable(runner, "template_version", {
    columns: {
      id: primary(id),
      organization_id: id,
      template_id: id,
      version: integer,
      description: text,
      definition: longtext,
      definition_hash: id,
      created_by_id: id,
      created_at: datetime,
    },
    references: {
      fk_template_version_organization: ["organization_id", "organization"],
      fk_template_version_template: ["template_id", "template"],
      fk_template_version_created_by: ["created_by_id", "user"],
    },
    uniques: { ux_template_version_number: ["template_id", "version"] },
  });
}
