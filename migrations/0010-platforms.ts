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
  text,
  varchar,
} from "./table.js";

const platform = { name: "platform", type: "varchar", length: "255" };

/** Batches of a platform's records, and the write-back of their files. */
export class Platforms implements MigrationInterface {
  readonly name = "Platforms0000000000010";

  async up(runner: QueryRunner): Promise<void> {
    await addPlatform(runner);
    await createTable(runner, "record_batch", recordBatch);
    await createTable(runner, "write_back", writeBack);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("write_back", true);
    await runner.dropTable("record_batch", true);
    await runner.dropColumn("batch", platform.name);
  }
}

async function addPlatform(runner: QueryRunner): Promise<void> {
  if (await runner.hasColumn("batch", platform.name)) return;
  const isMysql = runner.dataSource.options.type !== "better-sqlite3";
  const bytewise = { charset: "utf8mb4", collation: "utf8mb4_bin" };
  await runner.addColumn(
    "batch",
    new TableColumn({
      ...platform,
      isNullable: true,
      ...(isMysql && bytewise),
    }),
  );
}

const recordBatch = {
  columns: {
    batch_id: primary(id),
    organization_id: id,
    connection_id: id,
    base_id: nullable(varchar(255)),
    table_id: varchar(255),
    field_id: nullable(varchar(255)),
    field_name: nullable(varchar(255)),
    mode: varchar(32),
    plan: longtext,
    created_at: datetime,
  },
};

const writeBack = {
  columns: {
    document_id: primary(id),
    batch_id: id,
    organization_id: id,
    record_id: varchar(255),
    cell: varchar(64),
    status: varchar(32),
    attempts: integer,
    files: longtext,
    error: nullable(text),
    created_at: datetime,
    updated_at: datetime,
    completed_at: nullable(datetime),
  },
  indexes: {
    ix_write_back_batch: ["batch_id", "status"],
    ix_write_back_cell: ["cell"],
  },
};
