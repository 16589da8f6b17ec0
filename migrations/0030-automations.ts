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

/** Automations, which make batches of records at set times, with their runs and the records that are done. */
export class Automations implements MigrationInterface {
  readonly name = "Automations0000000000030";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "automation", automation);
    await createTable(runner, "automation_run", automationRun);
    await createTable(runner, "automation_record", automationRecord);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("automation_record", true);
    await runner.dropTable("automation_run", true);
    await runner.dropTable("automation", true);
  }
}

const automation = {
  columns: {
    id: primary(id),
    organization_id: id,
    name: varchar(255),
    template_id: id,
    platform: varchar(255),
    connection_id: id,
    base_id: nullable(varchar(255)),
    table_id: varchar(255),
    table_name: varchar(255),
    field_id: nullable(varchar(255)),
    field_name: nullable(varchar(255)),
    formats: longtext,
    overwrite_existing: boolean,
    records: longtext,
    deliver: nullable(longtext),
    merge: nullable(longtext),
    schedule: longtext,
    missed_runs: varchar(32),
    repeat_mode: varchar(32),
    paused_at: nullable(datetime),
    paused_reason: nullable(text),
    failures: integer,
    baseline_at: nullable(datetime),
    next_run_at: nullable(datetime),
    created_by_id: id,
    created_at: datetime,
    updated_at: datetime,
  },
  references: {
    fk_automation_organization: ["organization_id", "organization"],
    fk_automation_template: ["template_id", "template"],
    fk_automation_created_by: ["created_by_id", "user"],
  },
  indexes: {
    ix_automation_list: ["organization_id", "created_at", "id"],
    ix_automation_due: ["next_run_at"],
  },
} satisfies Parameters<typeof createTable>[2];

const automationRun = {
  columns: {
    id: primary(id),
    organization_id: id,
    automation_id: id,
    due_at: datetime,
    origin: varchar(32),
    status: varchar(32),
    attempts: integer,
    batch_id: nullable(id),
    selected_count: nullable(integer),
    document_count: nullable(integer),
    message: nullable(text),
    started_at: nullable(datetime),
    ended_at: nullable(datetime),
    created_at: datetime,
  },
  references: {
    fk_automation_run_organization: ["organization_id", "organization"],
    fk_automation_run_automation: ["automation_id", "automation"],
  },
  indexes: {
    ix_automation_run_list: ["automation_id", "created_at", "id"],
    ix_automation_run_status: ["status", "automation_id"],
    ix_automation_run_created: ["created_at"],
  },
  uniques: { ux_automation_run_due: ["automation_id", "due_at"] },
} satisfies Parameters<typeof createTable>[2];

const automationRecord = {
  columns: {
    automation_id: primary(id),
    record_id: primary(varchar(255)),
    version: text,
  },
  references: {
    fk_automation_record_automation: ["automation_id", "automation"],
  },
} satisfies Parameters<typeof createTable>[2];
