import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  createTable,
  id,
  instant,
  line,
  optional,
  primary,
  sized,
  type TableShape,
} from "./table.js";

/** Browsers in which people are signed in, and the addresses by which they signed in. */
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
    hash: sized(64),
    user_agent: line,
    created_at: instant,
    last_seen_at: instant,
    expires_at: instant,
    revoked_at: optional(instant),
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
    hash: sized(64),
    created_at: instant,
    expires_at: instant,
    used_at: optional(instant),
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
