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
  sized,
  text,
  word,
} from "./table.js";

/** Folders, templates and their snapshots. */
export class Templates implements MigrationInterface {
  readonly name = "Templates0000000000002";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "folder", {
      columns: {
        id: primary(id),
        organization_id: id,
        parent_id: optional(id),
        kind: word,
        name: line,
        created_by_id: id,
        created_at: instant,
        updated_at: instant,
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
      folder_id: optional(id),
      name: line,
      search_name: sized(512),
      description: optional(text),
      template_type: word,
      data_source: optional(long),
      thumbnail_key: optional(line),
      is_active: flag,
      is_favorite: flag,
      trashed_at: optional(instant),
      trashed_by_id: optional(id),
      version: count,
      definition: long,
      definition_hash: id,
      created_by_id: id,
      created_at: instant,
      updated_at: instant,
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
      version: count,
      description: text,
      definition: long,
      definition_hash: id,
      created_by_id: id,
      created_at: instant,
    },
    references: {
      fk_template_version_organization: ["organization_id", "organization"],
      fk_template_version_template: ["template_id", "template"],
      fk_template_version_created_by: ["created_by_id", "user"],
    },
    uniques: { ux_template_version_number: ["template_id", "version"] },
  });
}
