import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  createTable,
  datetime,
  id,
  integer,
  longtext,
  nullable,
  primary,
  text,
} from "./table.js";

/** The certificates with which organizations sign PDFs. */
export class SigningCertificates implements MigrationInterface {
  readonly name = "SigningCertificates0000000000036";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "signing_certificate", {
      columns: {
        id: primary(id),
        organization_id: id,
        certificates: longtext,
        private_key: longtext,
        timestamp_url: nullable(text),
        timestamp_bytes: nullable(integer),
        created_at: datetime,
      },
      references: {
        fk_signing_certificate_organization: [
          "organization_id",
          "organization",
        ],
      },
      uniques: { ux_signing_certificate_organization: ["organization_id"] },
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("signing_certificate", true);
  }
}
