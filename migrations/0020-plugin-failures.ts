import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  createTable,
  datetime,
  integer,
  primary,
  type TableShape,
  text,
  varchar,
} from "./table.js";

/** Plugins that ended the plugin host. */
export class PluginFailures implements MigrationInterface {
  readonly name = "PluginFailures0000000000020";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "plugin_failure", pluginFailure);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("plugin_failure", true);
  }
}

const pluginFailure: TableShape = {
  columns: {
    kind: primary(varchar(32)),
    plugin_id: primary(varchar(64)),
    failure_count: integer,
    reason: text,
    failed_at: datetime,
  },
};
