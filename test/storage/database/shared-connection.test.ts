import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { openStore, User } from "../../../core/storage/database/index.js";
import { silentLog } from "../../support/recording-log.js";
import { suiteFolder } from "../../support/store-folder.js";
import { userNames, userRow } from "../../support/store.js";

// Why every write goes through the UnitOfWork: TypeORM has one SQLite connection, and what stands between a BEGIN
// and a ROLLBACK on it is undone, whoever wrote it.
describe("TypeORM's own transaction on SQLite", () => {
  const file = join(suiteFolder(), "hazard.sqlite");

  it("rolls back committed writes of another request", async () => {
    const database = { kind: "sqlite", file } as const;
    const store = await openStore({ database, migrate: true, log: silentLog });
    await store.dataSource
      .transaction(async () => {
        await store.dataSource.manager.insert(User, userRow("Bystander"));
        throw new Error("rolled back");
      })
      .catch(() => undefined);
    expect(await userNames(store)).to.deep.equal([]);
    await store.close();
  });
});
