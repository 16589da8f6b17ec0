import { expect } from "chai";
import { describe, it } from "mocha";
import {
  findSchemaDrift,
  openStore,
  Organization,
  type Store,
} from "../../../core/storage/database/index.js";
import { migrations } from "../../../migrations/index.js";
import { silentLog } from "../../support/recording-log.js";
import {
  eachDatabase,
  newOwner,
  startStoreProcess,
} from "../../support/store.js";

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

/** Has the database look as the commits before `Initial` left it. */
async function makeOld({ dataSource, dialect }: Store, count: number) {
  const names = Array.from(
    { length: count },
    (_, index) =>
      `(${index + 1}, '${index === 38 ? "DocumentFilters" : "Old"}${String(index + 1).padStart(13, "0")}')`,
  );
  await dataSource.query("DELETE FROM migration");
  await dataSource.query(
    `INSERT INTO migration (timestamp, name) VALUES ${names.join()}`,
  );
  await dataSource.query("DROP TABLE IF EXISTS plugin_failure");
  await dataSource.query("CREATE TABLE plugin_failure (kind varchar(32))");
  if (dialect !== "sqlite")
    await dataSource.query(
      "ALTER TABLE organization MODIFY brand longtext CHARACTER SET latin1 NULL",
    );
}

describe("a database of the migrations that were replaced", () => {
  eachDatabase(
    (open) => {
      it("is refused with the commit to start first when it lacks some, and otherwise taken over and able to hold every script", async () => {
        const store = await open();
        const owner = await newOwner(store);
        await makeOld(store, 38);
        const error = await open().catch((reason: unknown) => reason);
        expect(String(error)).to.include("at the commit d44ece7d once");
        await makeOld(store, 39);
        const same = await open();
        const { organizationId: id } = owner;
        const brand = { name: "Łódź 東京" };
        await same.unitOfWork.run((tx) =>
          tx.update(Organization, id, { brand }),
        );
        const found = await same.read.findOneBy(Organization, { id });
        expect(found?.brand).to.deep.equal(brand);
        const rows = await same.read.query<{ name: string }[]>(
          "SELECT name FROM migration ORDER BY timestamp",
        );
        expect(rows.map(({ name }) => name)).to.deep.equal(
          migrations.map((one) => new one().name),
        );
        expect(await findSchemaDrift(same)).to.deep.equal([]);
      });
    },
    { isNew: true },
  );
});
