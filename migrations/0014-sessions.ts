import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  createTable,
  datetime,
  id,
  nullable,
  primary,
  type TableShape,
  varchar,
} from "./table.js";

/** Sessions and sign-in links. */
export class Sessions implements MigrationInterface {
  readonly name = "Sessions0000000000014";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "session", session);
    await createTable(runner, "login_link", loginLink);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("login_link", true);
    await runner.dropTable("session", true);
  }
}

const session: TableShape = {
  columns: {
    id: primary(id),
    user_id: id,
    organization_id: id,
    hash: varchar(64),
    user_agent: varchar(255),
    created_at: datetime,
    last_seen_at: datetime,
    expires_at: datetime,
    revoked_at: nullable(datetime),
  },
  references: {
    fk_session_user: ["user_id", "user"],
    fk_session_organization: ["organization_id", "organization"],
  },
  indexes: {
    ix_session_user: ["user_id", "created_at"],
    ix_session_expiry: ["expires_at"],
  },
  uniques: { ux_session_hash: ["hash"] },
};

const loginLink: TableShape = {
  columns: {
    id: primary(id),
    user_id: id,
    organization_id: id,
    hash: varchar(64),
    created_at: datetime,
    expires_at: datetime,
    used_at: nullable(datetime),
  },
  references: {
    fk_login_link_user: ["user_id", "user"],
    fk_login_link_organization: ["organization_id", "organization"],
  },
  indexes: {
    ix_login_link_user: ["user_id", "created_at"],
    ix_login_link_expiry: ["expires_at"],
  },
  uniques: { ux_login_link_hash: ["hash"] },
};
