import { expect } from "chai";
import { describe, it } from "mocha";
import { DataSource } from "typeorm";
import { migrations } from "../../../migrations/index.js";

const at = "2026-11-01 10:00:00.000";

describe("write-backs that were pending before the upgrade", () => {
  it("have one job for each cell afterwards, and one for each document after a return", async () => {
    const source = new DataSource({
      type: "better-sqlite3",
      database: ":memory:",
      migrations,
    });
    await source.initialize();
    await source.runMigrations();
    const names = ["A", "B"];
    for (const name of names)
      await source.query(
        `INSERT INTO write_back (document_id, batch_id, organization_id, record_id, cell, status, attempts, files, created_at, updated_at)
         VALUES (?, 'batch', 'org', 'record', 'cell', 'pending', 0, '[]', ?, ?)`,
        [name, at, at],
      );
    const listJobs = () =>
      source.query<object[]>(
        "SELECT row_id AS id, share, ready_at AS readyAt FROM job WHERE kind = 'write-back' ORDER BY row_id",
      );
    const last = migrations.findIndex(({ name }) => name === "WriteBackQueue");
    for (let index = migrations.length; index > last; index -= 1)
      await source.undoLastMigration();
    expect(await listJobs()).to.deep.equal(
      names.map((id) => ({ id, share: "org", readyAt: at })),
    );
    await source.runMigrations();
    expect(await listJobs()).to.deep.equal([
      { id: "cell", share: "org", readyAt: at },
    ]);
    const rows = await source.query<object[]>(
      "SELECT next_attempt_at AS nextAttemptAt FROM write_back",
    );
    expect(rows).to.deep.equal(names.map(() => ({ nextAttemptAt: at })));
    await source.destroy();
  });
});
