import { type MigrationInterface, type QueryRunner, TableIndex } from "typeorm";

const index = new TableIndex({
  name: "ix_asset_type",
  columnNames: ["organization_id", "asset_type", "created_at"],
});

/** Every document looks up the fonts of its organization, among perhaps thousands of images. */
export class AssetTypes implements MigrationInterface {
  readonly name = "AssetTypes0000000000009";

  async up(runner: QueryRunner): Promise<void> {
    const table = await runner.getTable("asset");
    const isThere = table?.indices.some(({ name }) => name === index.name);
    if (!isThere) await runner.createIndex("asset", index);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex("asset", index);
  }
}
