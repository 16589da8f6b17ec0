import type { MigrationInterface, QueryRunner } from "typeorm";
import { PluginFailures } from "./0020-plugin-failures.js";

/** Plugins have a process each, so nothing counts any more which of them ended the common one. */
export class PluginProcesses implements MigrationInterface {
  readonly name = "PluginProcesses0000000000040";

  async up(runner: QueryRunner): Promise<void> {
    await runner.dropTable("plugin_failure", true);
  }

  async down(runner: QueryRunner): Promise<void> {
    await new PluginFailures().up(runner);
  }
}
