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
  type TableShape,
  text,
  word,
} from "./table.js";

/** Documents on their way to being signed, the files that are kept for them, and the notices that were taken. */
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
      ...optional(long),
      ...(isMysql && bytewise),
    }),
  );
}

const signatureRequest: TableShape = {
  columns: {
    id: primary(id),
    organization_id: id,
    document_id: id,
    batch_id: optional(id),
    connection_id: id,
    provider: line,
    status: word,
    external_id: optional(line),
    title: text,
    message: optional(long),
    expires_at: optional(instant),
    submitters: long,
    boxes: long,
    warnings: long,
    source: optional(long),
    sent_at: optional(instant),
    lookups: count,
    attempts: count,
    error: optional(text),
    next_look_at: optional(instant),
    created_by_id: id,
    created_at: instant,
    updated_at: instant,
    started_at: optional(instant),
    completed_at: optional(instant),
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
    storage_key: primary(line),
    document_id: id,
    keep_until: optional(instant),
  },
  indexes: { ix_kept_file_document: ["document_id"] },
};

const seenNotice: TableShape = {
  columns: { hash: primary(sized(64)), received_at: instant },
  indexes: { ix_seen_notice_received: ["received_at"] },
};
