import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  boolean,
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

/** Events, webhook endpoints, deliveries and their attempts. */
export class Webhooks implements MigrationInterface {
  readonly name = "Webhooks0000000000007";

  async up(runner: QueryRunner): Promise<void> {
    await outboxEvent(runner);
    await webhookEndpoint(runner);
    await webhookDelivery(runner);
    await webhookAttempt(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      "webhook_attempt",
      "webhook_delivery",
      "webhook_endpoint",
      "outbox_event",
    ])
      await runner.dropTable(table, true);
  }
}

async function outboxEvent(runner: QueryRunner): Promise<void> {
  await createTable(runner, "outbox_event", {
    columns: {
      id: primary(id),
      organization_id: id,
      type: varchar(32),
      batch_id: nullable(id),
      document_id: nullable(id),
      data: longtext,
      created_at: datetime,
      dispatched_at: nullable(datetime),
    },
    references: {
      fk_outbox_event_organization: ["organization_id", "organization"],
    },
    indexes: {
      ix_outbox_event_dispatch: ["dispatched_at", "id"],
      ix_outbox_event_batch: ["batch_id", "dispatched_at"],
      ix_outbox_event_created: ["created_at"],
    },
  });
}

async function webhookEndpoint(runner: QueryRunner): Promise<void> {
  await createTable(runner, "webhook_endpoint", {
    columns: {
      id: primary(id),
      organization_id: id,
      url: varchar(2048),
      description: nullable(text),
      events: longtext,
      secret: longtext,
      previous_secret: nullable(longtext),
      previous_secret_until: nullable(datetime),
      is_enabled: boolean,
      disabled_reason: nullable(text),
      disabled_at: nullable(datetime),
      failing_since: nullable(datetime),
      created_by_id: nullable(id),
      created_at: datetime,
      updated_at: datetime,
      deleted_at: nullable(datetime),
    },
    references: {
      fk_webhook_endpoint_organization: ["organization_id", "organization"],
      fk_webhook_endpoint_created_by: ["created_by_id", "user"],
    },
    indexes: {
      ix_webhook_endpoint_list: ["organization_id", "created_at", "id"],
    },
  });
}

async function webhookDelivery(runner: QueryRunner): Promise<void> {
  await createTable(runner, "webhook_delivery", {
    columns: {
      id: primary(id),
      organization_id: id,
      event_id: id,
      endpoint_id: id,
      type: varchar(32),
      batch_id: nullable(id),
      document_id: nullable(id),
      status: varchar(32),
      attempts: integer,
      tries: integer,
      next_attempt_at: nullable(datetime),
      hold_until: nullable(datetime),
      notes: nullable(longtext),
      last_error: nullable(text),
      last_status: nullable(integer),
      completed_at: nullable(datetime),
      created_at: datetime,
      updated_at: datetime,
    },
    references: {
      fk_webhook_delivery_event: ["event_id", "outbox_event"],
      fk_webhook_delivery_endpoint: ["endpoint_id", "webhook_endpoint"],
    },
    indexes: {
      ix_webhook_delivery_due: ["status", "next_attempt_at"],
      ix_webhook_delivery_list: ["endpoint_id", "created_at", "id"],
      ix_webhook_delivery_state: ["endpoint_id", "status", "created_at", "id"],
      ix_webhook_delivery_ended: ["completed_at"],
      ix_webhook_delivery_batch: ["batch_id", "endpoint_id", "status"],
    },
    uniques: {
      ux_webhook_delivery: ["event_id", "endpoint_id"],
    },
  });
}

async function webhookAttempt(runner: QueryRunner): Promise<void> {
  await createTable(runner, "webhook_attempt", {
    columns: {
      id: primary(id),
      delivery_id: id,
      number: integer,
      url: varchar(2048),
      outcome: varchar(32),
      response_status: nullable(integer),
      response_body: nullable(longtext),
      error: nullable(text),
      duration_ms: integer,
      created_at: datetime,
    },
    references: {
      fk_webhook_attempt_delivery: ["delivery_id", "webhook_delivery"],
    },
    indexes: {
      ix_webhook_attempt_list: ["delivery_id", "number"],
    },
  });
}
