import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  count,
  createTable,
  flag,
  id,
  instant,
  long,
  optional,
  primary,
  sized,
  text,
  word,
} from "./table.js";

/** What happened, who is to be told, and every attempt to tell them. */
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
      type: word,
      batch_id: optional(id),
      document_id: optional(id),
      data: long,
      created_at: instant,
      dispatched_at: optional(instant),
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
      url: sized(2048),
      description: optional(text),
      events: long,
      secret: long,
      previous_secret: optional(long),
      previous_secret_until: optional(instant),
      is_enabled: flag,
      disabled_reason: optional(text),
      disabled_at: optional(instant),
      failing_since: optional(instant),
      created_by_id: optional(id),
      created_at: instant,
      updated_at: instant,
      deleted_at: optional(instant),
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
      type: word,
      batch_id: optional(id),
      document_id: optional(id),
      status: word,
      attempts: count,
      tries: count,
      next_attempt_at: optional(instant),
      hold_until: optional(instant),
      notes: optional(long),
      last_error: optional(text),
      last_status: optional(count),
      completed_at: optional(instant),
      created_at: instant,
      updated_at: instant,
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
      number: count,
      url: sized(2048),
      outcome: word,
      response_status: optional(count),
      response_body: optional(long),
      error: optional(text),
      duration_ms: count,
      created_at: instant,
    },
    references: {
      fk_webhook_attempt_delivery: ["delivery_id", "webhook_delivery"],
    },
    indexes: {
      ix_webhook_attempt_list: ["delivery_id", "number"],
    },
  });
}
