import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  createTable,
  datetime,
  id,
  longblob,
  primary,
  varchar,
} from "./table.js";

/** Texts that documents were rendered to, such as their html. */
export class DocumentTexts implements MigrationInterface {
  readonly name = "DocumentTexts0000000000037";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "document_text", {
      columns: {
        document_id: primary(id),
        format: primary(varchar(16)),
        content: longblob,
        created_at: datetime,
      },
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("document_text", true);
  }
}
