import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  createTable,
  datetime,
  id,
  longtext,
  primary,
  type TableShape,
  varchar,
} from "./table.js";

/** People who are at a platform to authorize a connection. */
export class ConnectionAuthorizations implements MigrationInterface {
  readonly name = "ConnectionAuthorizations0000000000024";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "connection_authorization", authorization);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("connection_authorization", true);
  }
}

const authorization: TableShape = {
  columns: {
    id: primary(id),
    organization_id: id,
    session_id: id,
    hash: varchar(64),
    request: longtext,
    created_at: datetime,
    expires_at: datetime,
  },
  references: {
    fk_connection_authorization_organization: [
      "organization_id",
      "organization",
    ],
  },
  indexes: { ix_connection_authorization_expiry: ["expires_at"] },
  uniques: { ux_connection_authorization_hash: ["hash"] },
};
