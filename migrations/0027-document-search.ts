import { type MigrationInterface, type QueryRunner, TableIndex } from "typeorm";

/** The file names of documents, so that a search reads the index alone. */
export class DocumentSearch implements MigrationInterface {
  readonly name = "DocumentSearch0000000000027";

  async up(runner: QueryRunner): Promise<void> {
    await runner.createIndex(
      "document",
      new TableIndex({
        name: "ix_document_search",
        columnNames: [
          "organization_id",
          "created_at",
          "id",
          "file_name",
          "template_id",
          "status",
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex("document", "ix_document_search");
  }
}
