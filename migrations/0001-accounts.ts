import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  big,
  createTable,
  id,
  instant,
  line,
  long,
  optional,
  primary,
  sized,
  word,
} from "./table.js";

/** Organizations, users, keys, usage and the audit trail. */
export class Accounts implements MigrationInterface {
  readonly name = "Accounts0000000000001";

  async up(runner: QueryRunner): Promise<void> {
    await people(runner);
    await createTable(runner, "api_key", {
      columns: {
        id: primary(id),
        organization_id: id,
        user_id: id,
        name: line,
        prefix: word,
        hash: id,
        scopes: long,
        settings: optional(long),
        created_at: instant,
        expires_at: optional(instant),
        revoked_at: optional(instant),
        last_used_at: optional(instant),
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
      name: line,
      email: line,
      image: optional(sized(2048)),
      created_at: instant,
      updated_at: instant,
    },
    uniques: { ux_user_email: ["email"] },
  });
  await createTable(runner, "organization", {
    columns: {
      id: primary(id),
      name: line,
      plan: word,
      service_user_id: id,
      settings: optional(long),
      created_at: instant,
      updated_at: instant,
    },
    references: { fk_organization_service_user: ["service_user_id", "user"] },
  });
  await createTable(runner, "membership", {
    columns: {
      organization_id: primary(id),
      user_id: primary(id),
      role: word,
      created_at: instant,
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
      day: primary(sized(10)),
      metric: primary(word),
      amount: big,
    },
    references: {
      fk_usage_counter_organization: ["organization_id", "organization"],
    },
  });
  await createTable(runner, "audit_event", {
    columns: {
      id: primary(id),
      organization_id: optional(id),
      user_id: optional(id),
      key_id: optional(id),
      origin: word,
      action: sized(64),
      subject: id,
      details: optional(long),
      created_at: instant,
    },
    references: {
      fk_audit_event_organization: ["organization_id", "organization"],
    },
    indexes: {
      ix_audit_event_list: ["organization_id", "created_at", "id"],
    },
  });
}
