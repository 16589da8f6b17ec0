import type { MigrationInterface, QueryRunner } from "typeorm";

/** The jobs that fetch records were called otherwise. */
export class FetchJobs implements MigrationInterface {
  readonly name = "FetchJobs0000000000043";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("UPDATE job SET kind = 'fetch' WHERE kind = 'walk'");
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
