import { type MigrationInterface, type QueryRunner, TableIndex } from "typeorm";

const BY_TEMPLATE_AND_STATUS = {
  name: "ix_document_template_status",
  columnNames: ["organization_id", "template_id", "status", "created_at", "id"],
};
/** The index of the search begins with the same columns. */
const BY_TIME = {
  name: "ix_document_created",
  columnNames: ["organization_id", "created_at", "id"],
};

/** Lists by template and status read an index alone, also when hardly any document fits. */
export class DocumentFilters implements MigrationInterface {
  readonly name = "DocumentFilters0000000000039";

  async up(runner: QueryRunner): Promise<void> {
    await replaceIndex(runner, BY_TIME, BY_TEMPLATE_AND_STATUS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceIndex(runner, BY_TEMPLATE_AND_STATUS, BY_TIME);
  }
}

/** MySQL commits after every statement, so an interrupted migration runs again there. */
async function replaceIndex(
  runner: QueryRunner,
  before: typeof BY_TIME,
  after: typeof BY_TIME,
): Promise<void> {
  const table = await runner.getTable("document");
  const has = ({ name }: typeof BY_TIME) =>
    table?.indices.some((index) => index.name === name) ?? false;
  if (!has(after)) await runner.createIndex("document", new TableIndex(after));
  if (has(before)) await runner.dropIndex("document", before.name);
}
