import { expect } from "chai";
import { describe, it } from "mocha";
import { DataSource } from "typeorm";
import {
  findSchemaDrift,
  openStore,
} from "../../../core/storage/database/index.js";
import { migrations } from "../../../migrations/index.js";
import { silentLog } from "../../support/recording-log.js";
import { eachDatabase, startStoreProcess } from "../../support/store.js";

describe("processes that start together on an empty database", () => {
  eachDatabase(
    (open, location) => {
      it("migrate it once, and all of them can use it", async () => {
        const processes = Array.from({ length: 3 }, () =>
          startStoreProcess("migrate", location),
        );
        const results = await Promise.all(processes.map((one) => one.ended));
        expect(results.map(({ code }) => code)).to.deep.equal([0, 0, 0]);
        const done = results.flatMap(({ lines }) => lines);
        const store = await open();
        const rows: unknown[] = await store.read.query(
          "SELECT * FROM migration",
        );
        expect(done).to.have.lengthOf(rows.length);
        expect(new Set(done).size).to.equal(rows.length);
      });
    },
    { isNew: true },
  );
});

describe("the migrated tables", () => {
  eachDatabase((open) => {
    it("match the entities", async () => {
      expect(await findSchemaDrift(await open())).to.deep.equal([]);
    });
  });
});

describe("a database that a newer version has migrated", () => {
  eachDatabase((open) => {
    it("is rejected with the name of the unknown migration, and opened without it", async () => {
      const { dataSource } = await open();
      await dataSource.query(
        "INSERT INTO migration (timestamp, name) VALUES (9999, 'Telepathy0000000009999')",
      );
      const error = await open().catch((reason: unknown) => reason);
      await dataSource.query("DELETE FROM migration WHERE timestamp = 9999");
      expect(String(error)).to.include(
        "changed by a newer version of Platen (Telepathy0000000009999)",
      );
      await open();
    });
  });
});

describe("a database that cannot be reached", () => {
  it("is reported without the password", async () => {
    const url = "mysql://root:sesame@127.0.0.1:1/platen";
    const error = await openStore({
      database: { kind: "mysql", url },
      migrate: true,
      log: silentLog,
    }).catch((reason: unknown) => reason);
    expect(error).to.include({ code: "unavailable" });
    expect(String(error))
      .to.include("127.0.0.1:1/platen")
      .and.include("PLATEN_DATABASE_URL")
      .and.not.include("sesame");
  });
});

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
