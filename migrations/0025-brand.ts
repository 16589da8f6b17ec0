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
    await createTable(runner, "brand_kit", {
      columns: {
        id: primary(id),
        organization_id: id,
        kit: longtext,
        version: integer,
        updated_by_id: id,
        created_at: datetime,
        updated_at: datetime,
      },
      references: {
        fk_brand_kit_organization: ["organization_id", "organization"],
      },
      uniques: { ux_brand_kit_organization: ["organization_id"] },
    });
    const column = new TableColumn({ name: "partials", ...nullable(longtext) });
    for (const table of TABLES)
      if (!(await runner.hasColumn(table, column.name)))
        await runner.addColumn(table, column);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.dropColumn(table, "partials");
    for (const table of ["brand_kit", "template_partial"])
      await runner.dropTable(table, true);
  }
}

const TABLES = ["template", "template_version"];
