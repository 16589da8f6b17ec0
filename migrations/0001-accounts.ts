import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  bigint,
  createTable,
  datetime,
  id,
  longtext,
  nullable,
  primary,
  varchar,
} from "./table.js";

/** Organizations, users, API keys, usage and the audit log. */
export class Accounts implements MigrationInterface {
  readonly name = "Accounts0000000000001";

  async up(runner: QueryRunner): Promise<void> {
    await people(runner);
    await createTable(runner, "api_key", {
      columns: {
        id: primary(id),
        organization_id: id,
        user_id: id,
        name: varchar(255),
        prefix: varchar(32),
        hash: id,
        scopes: longtext,
        settings: nullable(longtext),
        created_at: datetime,
        expires_at: nullable(datetime),
        revoked_at: nullable(datetime),
        last_used_at: nullable(datetime),
      },
      references: {
        fk_api_key_organization: ["organization_id", "organization"],
        fk_api_key_user: ["user_id", "user"],
      },
      uniques: { ux_api_key_hash: ["hash"] },
      indexes: {
        ix_api_key_organization: ["organization_id", "created_at", "id"],
      },
    });
    await records(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      "audit_event",
      "usage_counter",
      "api_key",
      "membership",
      "organization",
      "user",
    ])
      await runner.dropTable(table, true);
  }
}

async function people(runner: QueryRunner): Promise<void> {
  await createTable(runner, "user", {
    columns: {
      id: primary(id),
      name: varchar(255),
      email: varchar(255),
      image: nullable(varchar(2048)),
      created_at: datetime,
      updated_at: datetime,
    },
    uniques: { ux_user_email: ["email"] },
  });
  await createTable(runner, "organization", {
    columns: {
      id: primary(id),
      name: varchar(255),
      plan: varchar(32),
      service_user_id: id,
      settings: nullable(longtext),
      created_at: datetime,
      updated_at: datetime,
    },
    references: { fk_organization_service_user: ["service_user_id", "user"] },
  });
  await createTable(runner, "membership", {
    columns: {
      organization_id: primary(id),
      user_id: primary(id),
      role: varchar(32),
      created_at: datetime,
    },
    references: {
      fk_membership_organization: ["organization_id", "organization"],
      fk_membership_user: ["user_id", "user"],
    },
    indexes: { ix_membership_user: ["user_id"] },
  });
}

async function records(runner: QueryRunner): Promise<void> {
  await createTable(runner, "usage_counter", {
    columns: {
      organization_id: primary(id),
      day: primary(varchar(10)),
      metric: primary(varchar(32)),
      amount: bigint,
    },
    references: {
      fk_usage_counter_organization: ["organization_id", "organization"],
    },
  });
  await createTable(runner, "audit_event", {
    columns: {
      id: primary(id),
      organization_id: nullable(id),
      user_id: nullable(id),
      key_id: nullable(id),
      origin: varchar(32),
      action: varchar(64),
      subject: id,
      details: nullable(longtext),
      created_at: datetime,
    },
    references: {
      fk_audit_event_organization: ["organization_id", "organization"],
    },
    indexes: {
      ix_audit_event_list: ["organization_id", "created_at", "id"],
    },
  });
}
