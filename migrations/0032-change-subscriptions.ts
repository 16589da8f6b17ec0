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
  varchar,
} from "./table.js";

/** Webhooks by which platforms report changes for automations. */
export class ChangeSubscriptions implements MigrationInterface {
  readonly name = "ChangeSubscriptions0000000000032";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "change_subscription", changeSubscription);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("change_subscription", true);
  }
}

const changeSubscription = {
  columns: {
    automation_id: primary(id),
    organization_id: id,
    connection_id: id,
    base_id: nullable(varchar(255)),
    table_id: varchar(255),
    token: varchar(64),
    url: nullable(text),
    remote_id: nullable(varchar(255)),
    secret: nullable(longtext),
    message: nullable(text),
    ended_at: nullable(datetime),
    attempts: integer,
    next_attempt_at: datetime,
    created_at: datetime,
    updated_at: datetime,
  },
  indexes: { ix_change_subscription_due: ["next_attempt_at"] },
  uniques: { ux_change_subscription_token: ["token"] },
} satisfies Parameters<typeof createTable>[2];
