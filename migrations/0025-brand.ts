import {
  type MigrationInterface,
  type QueryRunner,
  TableColumn,
} from "typeorm";
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

/** Reusable blocks, which templates use by name, and the brand kit. */
export class Brand implements MigrationInterface {
  readonly name = "Brand0000000000025";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "template_partial", {
      columns: {
        id: primary(id),
        organization_id: id,
        name: varchar(64),
        title: varchar(255),
        template_type: varchar(32),
        components: longtext,
        hash: id,
        version: integer,
        created_by_id: id,
        updated_by_id: id,
        created_at: datetime,
        updated_at: datetime,
      },
      references: {
        fk_template_partial_organization: ["organization_id", "organization"],
      },
      uniques: { ux_template_partial_name: ["organization_id", "name"] },
    });
    for (const [table, name] of COLUMNS)
      if (!(await runner.hasColumn(table, name)))
        await runner.addColumn(
          table,
          new TableColumn({ name, ...nullable(longtext) }),
        );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, name] of COLUMNS) await runner.dropColumn(table, name);
    await runner.dropTable("template_partial", true);
  }
}

const COLUMNS = [
  ["template", "partials"],
  ["template_version", "partials"],
  ["organization", "brand"],
] as const;
