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
  type TableShape,
  text,
  varchar,
} from "./table.js";

/** The tables that say where documents are delivered: by default, in a batch, and by a link. */
const tables = ["template", "batch", "link"];

/** Deliveries of documents by e-mail and to storages. */
export class Deliveries implements MigrationInterface {
  readonly name = "Deliveries0000000000028";

  async up(runner: QueryRunner): Promise<void> {
    for (const table of tables) await addDeliver(runner, table);
    await createTable(runner, "delivery", delivery);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("delivery", true);
    for (const table of tables) await runner.dropColumn(table, "deliver");
  }
}

async function addDeliver(runner: QueryRunner, table: string): Promise<void> {
  if (await runner.hasColumn(table, "deliver")) return;
  const isMysql = runner.dataSource.options.type !== "better-sqlite3";
  const bytewise = { charset: "utf8mb4", collation: "utf8mb4_bin" };
  await runner.addColumn(
    table,
    new TableColumn({
      name: "deliver",
      type: "longtext",
      isNullable: true,
      ...(isMysql && bytewise),
    }),
  );
}

const delivery: TableShape = {
  columns: {
    id: primary(id),
    organization_id: id,
    document_id: id,
    batch_id: nullable(id),
    position: integer,
    connection_id: nullable(id),
    plugin: varchar(255),
    status: varchar(32),
    settings: longtext,
    target: nullable(longtext),
    place: nullable(varchar(64)),
    receipt: nullable(longtext),
    error: nullable(text),
    attempts: integer,
    lock_token: nullable(id),
    next_attempt_at: nullable(datetime),
    retried_at: nullable(datetime),
    created_at: datetime,
    updated_at: datetime,
    completed_at: nullable(datetime),
  },
  references: {
    fk_delivery_organization: ["organization_id", "organization"],
  },
  indexes: {
    ix_delivery_batch: ["batch_id", "status"],
  },
  uniques: {
    ux_delivery_document: ["document_id", "position"],
    ux_delivery_place: ["batch_id", "place"],
  },
};
