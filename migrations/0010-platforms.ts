import {
  type MigrationInterface,
  type QueryRunner,
  TableColumn,
} from "typeorm";
import {
  count,
  createTable,
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

const platform = { name: "platform", type: "varchar", length: "255" };

/** Batches of a platform's records: where their data comes from, and their files go back to. */
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
    base_id: optional(line),
    table_id: line,
    field_id: optional(line),
    field_name: optional(line),
    mode: word,
    plan: long,
    created_at: instant,
  },
};

const writeBack = {
  columns: {
    document_id: primary(id),
    batch_id: id,
    organization_id: id,
    record_id: line,
    cell: sized(64),
    status: word,
    attempts: count,
    files: long,
    error: optional(text),
    created_at: instant,
    updated_at: instant,
    completed_at: optional(instant),
  },
  indexes: {
    ix_write_back_batch: ["batch_id", "status"],
    ix_write_back_cell: ["cell"],
  },
};
