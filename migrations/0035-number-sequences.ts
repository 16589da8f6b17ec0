import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  createTable,
  datetime,
  id,
  integer,
  nullable,
  primary,
  varchar,
} from "./table.js";

/** Numbers without gaps, such as those of invoices, and the documents that have them. */
export class NumberSequences implements MigrationInterface {
  readonly name = "NumberSequences0000000000035";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "number_sequence", sequence);
    await createTable(runner, "sequence_number", number);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("sequence_number", true);
    await runner.dropTable("number_sequence", true);
  }
}

const sequence = {
  columns: {
    id: primary(id),
    organization_id: id,
    name: varchar(64),
    period: varchar(16),
    pattern: varchar(64),
    next_value: integer,
    created_at: datetime,
    updated_at: datetime,
  },
  references: {
    fk_number_sequence_organization: ["organization_id", "organization"],
  },
  uniques: {
    ux_number_sequence_period: ["organization_id", "name", "period"],
  },
} satisfies Parameters<typeof createTable>[2];

const number = {
  columns: {
    id: primary(id),
    sequence_id: id,
    value: integer,
    text: varchar(80),
    document_id: nullable(id),
    token: nullable(id),
    reserved_until: nullable(datetime),
    confirmed_at: nullable(datetime),
    created_at: datetime,
  },
  references: {
    fk_sequence_number_sequence: ["sequence_id", "number_sequence"],
  },
  indexes: {
    ix_sequence_number_document: ["document_id"],
    ix_sequence_number_open: ["sequence_id", "confirmed_at", "value"],
  },
  uniques: { ux_sequence_number_value: ["sequence_id", "value"] },
} satisfies Parameters<typeof createTable>[2];
