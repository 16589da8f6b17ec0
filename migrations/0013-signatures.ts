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

/** Signature requests, files that are kept for them, and processed notifications. */
export class Signatures implements MigrationInterface {
  readonly name = "Signatures0000000000013";

  async up(runner: QueryRunner): Promise<void> {
    await addSigning(runner);
    await createTable(runner, "signature_request", signatureRequest);
    await createTable(runner, "kept_file", keptFile);
    await createTable(runner, "seen_notice", seenNotice);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("seen_notice", true);
    await runner.dropTable("kept_file", true);
    await runner.dropTable("signature_request", true);
    await runner.dropColumn("batch", "signing");
  }
}

async function addSigning(runner: QueryRunner): Promise<void> {
  if (await runner.hasColumn("batch", "signing")) return;
  const isMysql = runner.dataSource.options.type !== "better-sqlite3";
  const bytewise = { charset: "utf8mb4", collation: "utf8mb4_bin" };
  await runner.addColumn(
    "batch",
    new TableColumn({
      name: "signing",
      ...nullable(longtext),
      ...(isMysql && bytewise),
    }),
  );
}

const signatureRequest: TableShape = {
  columns: {
    id: primary(id),
    organization_id: id,
    document_id: id,
    batch_id: nullable(id),
    connection_id: id,
    provider: varchar(255),
    status: varchar(32),
    external_id: nullable(varchar(255)),
    title: text,
    message: nullable(longtext),
    expires_at: nullable(datetime),
    submitters: longtext,
    boxes: longtext,
    warnings: longtext,
    source: nullable(longtext),
    sent_at: nullable(datetime),
    lookups: integer,
    attempts: integer,
    error: nullable(text),
    next_look_at: nullable(datetime),
    created_by_id: id,
    created_at: datetime,
    updated_at: datetime,
    started_at: nullable(datetime),
    completed_at: nullable(datetime),
  },
  references: {
    fk_signature_request_organization: ["organization_id", "organization"],
  },
  indexes: {
    ix_signature_request_list: ["organization_id", "created_at", "id"],
    ix_signature_request_external: ["connection_id", "external_id"],
    ix_signature_request_due: ["status", "next_look_at"],
    ix_signature_request_ended: ["completed_at"],
  },
  uniques: { ux_signature_request_document: ["document_id"] },
};

const keptFile: TableShape = {
  columns: {
    storage_key: primary(varchar(255)),
    document_id: id,
    keep_until: nullable(datetime),
  },
  indexes: { ix_kept_file_document: ["document_id"] },
};

const seenNotice: TableShape = {
  columns: { hash: primary(varchar(64)), received_at: datetime },
  indexes: { ix_seen_notice_received: ["received_at"] },
};
