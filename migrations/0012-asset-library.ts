import { randomBytes } from "node:crypto";
import {
  type MigrationInterface,
  type QueryRunner,
  TableColumn,
  TableIndex,
} from "typeorm";
import {
  createTable,
  datetime,
  id,
  nullable,
  primary,
  type TableShape,
  varchar,
} from "./table.js";

/** Public URLs and searchable names of assets, and upload links. */
export class AssetLibrary implements MigrationInterface {
  readonly name = "AssetLibrary0000000000012";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "upload_link", uploadLink);
    for (const column of columnsFor(runner))
      if (!(await runner.hasColumn("asset", column.name)))
        await runner.addColumn("asset", column);
    await fill(runner);
    const table = await runner.getTable("asset");
    const isThere = table?.indices.some(({ name }) => name === index.name);
    if (!isThere) await runner.createIndex("asset", index);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex("asset", index);
    for (const column of ["search_name", "link_key"])
      await runner.dropColumn("asset", column);
    await runner.dropTable("upload_link", true);
  }
}

const index = new TableIndex({
  name: "ix_asset_link",
  columnNames: ["link_key"],
});

/** Compares text by bytes, as in tables that `createTable` creates. */
function columnsFor(runner: QueryRunner): TableColumn[] {
  const isMysql = runner.dataSource.options.type !== "better-sqlite3";
  const bytewise = { charset: "utf8mb4", collation: "utf8mb4_bin" };
  const text = (name: string, length: string) =>
    new TableColumn({
      name,
      type: "varchar",
      length,
      default: "''",
      ...(isMysql && bytewise),
    });
  return [text("search_name", "512"), text("link_key", "64")];
}

/** Fills the columns of existing assets. Equal files of an organization share a URL. */
async function fill(runner: QueryRunner): Promise<void> {
  const keys = new Map<string, string>();
  const rows: { id: string; name: string; file: string }[] = await runner.query(
    "SELECT id, name, storage_key AS file FROM asset WHERE link_key = ''",
  );
  for (const { id: assetId, name, file } of rows) {
    const key = keys.get(file) ?? randomBytes(32).toString("base64url");
    keys.set(file, key);
    await runner.query(
      "UPDATE asset SET search_name = ?, link_key = ? WHERE id = ?",
      [name.toLowerCase(), key, assetId],
    );
  }
}

const uploadLink: TableShape = {
  columns: {
    id: primary(id),
    organization_id: id,
    created_by_id: id,
    folder_id: nullable(id),
    name: varchar(255),
    asset_type: nullable(varchar(32)),
    expires_at: datetime,
    asset_id: nullable(id),
    created_at: datetime,
  },
  references: {
    fk_upload_link_organization: ["organization_id", "organization"],
    fk_upload_link_created_by: ["created_by_id", "user"],
  },
  indexes: { ix_upload_link_expiry: ["expires_at"] },
};
