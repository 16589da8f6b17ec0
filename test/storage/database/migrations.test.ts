import { expect } from "chai";
import {
  type DatabaseLocation,
  findSchemaDrift,
  getMigrationState,
  getServerVersion,
  openStore,
  Organization,
  type Store,
} from "../../../core/storage/database/index.js";
import { migrations } from "../../../migrations/index.js";
import { recordingLog, silentLog } from "../../support/recording-log.js";
import { listCells } from "../../support/rows.js";
import { suiteFolder } from "../../support/store-folder.js";
import {
  eachDatabase,
  getRefusal,
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

describe("the migrations of a database", () => {
  const names = migrations.map((one) => new one().name);
  eachDatabase(
    (open, database) => {
      it("run once, are logged, and are compared with those that are known", async () => {
        const { log, text } = recordingLog();
        const openWith = (migrate: boolean) =>
          openStore({ database, migrate, log });
        const empty = await openWith(false);
        const states = [await getMigrationState(empty.dataSource)];
        await empty.close();
        for (let time = 0; time < 2; time += 1)
          await (await openWith(true)).close();
        const [logged = "", ...others] = text().trim().split("\n");
        expect(JSON.parse(logged)).to.deep.include({
          msg: "database migrated",
          migrations: names,
        });
        expect(others).to.deep.equal([]);
        const { dataSource } = await open();
        states.push(await getMigrationState(dataSource));
        await dataSource.query(
          "INSERT INTO migration (timestamp, name) VALUES (9999999999999, 'Telepathy9999999999999')",
        );
        states.push(await getMigrationState(dataSource));
        expect(states).to.deep.equal([
          { done: 0, pending: names, newer: [] },
          { done: names.length, pending: [], newer: [] },
          {
            done: names.length,
            pending: [],
            newer: ["Telepathy9999999999999"],
          },
        ]);
        expect(await getRefusal(open())).to.equal(
          "unavailable The database was changed by a newer version of Platen (Telepathy9999999999999). Start that version, or restore a backup.",
        );
        await dataSource.query(
          "DELETE FROM migration WHERE timestamp = 9999999999999",
        );
        await open();
      });
    },
    { isNew: true },
  );
});

function refuseToOpen(database: DatabaseLocation): Promise<string> {
  return getRefusal(openStore({ database, migrate: true, log: silentLog }));
}

describe("a database that cannot be opened", () => {
  it("is reported without the password, and with what to check", async () => {
    const folder = suiteFolder();
    const check =
      "Check PLATEN_DATABASE_URL and PLATEN_DATA, that the server runs, and that the account has access.";
    const url = "mysql://root:sesame@127.0.0.1:1/platen";
    expect([
      await refuseToOpen({ kind: "mysql", url }),
      await refuseToOpen({ kind: "sqlite", file: folder }),
    ]).to.deep.equal([
      `unavailable Cannot open the database 127.0.0.1:1/platen: connect ECONNREFUSED 127.0.0.1:1. ${check}`,
      `unavailable Cannot open the database ${folder}: unable to open database file. ${check}`,
    ]);
  });
});

describe("the version of a database server", () => {
  it("is new enough from the first version that claims jobs", async () => {
    const asked = new Set<string>();
    const get = async (dialect: Store["dialect"], version: string) => {
      const query = async (text: string) => {
        asked.add(`${dialect}: ${text}`);
        return [{ version }];
      };
      const read: Store["read"] = Object({ query });
      return Object.values(await getServerVersion({ dialect, read })).join(" ");
    };
    expect([
      await get("sqlite", "3.34.9"),
      await get("sqlite", "3.35.0"),
      await get("mysql", "5.7.44-log"),
      await get("mysql", "8.0.36-0ubuntu0.22.04.1"),
      await get("mariadb", "10.5.23-MariaDB"),
      await get("mariadb", "10.6.0-MariaDB"),
      await get("mariadb", "11.4.2-MariaDB-ubu2404"),
      await get("mariadb", "unknown"),
    ]).to.deep.equal(
      listCells(`
      SQLite 3.34.9 false | SQLite 3.35.0 true | MySQL 5.7.44 false | MySQL 8.0.36 true | MariaDB 10.5.23 false
      MariaDB 10.6.0 true | MariaDB 11.4.2 true | MariaDB  false
    `),
    );
    expect([...asked]).to.deep.equal([
      "sqlite: SELECT sqlite_version() AS version",
      "mysql: SELECT VERSION() AS version",
      "mariadb: SELECT VERSION() AS version",
    ]);
  });

  eachDatabase((open) => {
    it("is that of the database in use", async () => {
      const { version, isNewEnough } = await getServerVersion(await open());
      expect(version).to.match(/^\d+\.\d+\.\d+$/);
      expect(isNewEnough).to.equal(true);
    });
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
        expect(await getRefusal(open())).to.equal(
          "unavailable The database is older than this version of Platen can take over. Start Platen at the commit d44ece7d once, then this version.",
        );
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
