import { join } from "node:path";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { runAsOwner } from "../../../core/lib/event-loop.js";
import {
  type Store,
  User,
  changeRows,
  GroupCommit,
  UsageCounter,
  findForUpdate,
  openStore,
  newId,
  Organization,
} from "../../../core/storage/database/index.js";
import { silentLog } from "../../support/recording-log.js";
import { suiteFolder } from "../../support/store-folder.js";
import {
  eachDatabase,
  userNames,
  userRow,
  newOrganization,
  startStoreProcess,
  onSqlite,
} from "../../support/store.js";

describe("UnitOfWork", () => {
  eachDatabase((open) => {
    let store: Store;
    before(async () => {
      store = await open();
    });

    it("rolls back everything and rejects with the error of the work", async () => {
      const reason = new Error("no");
      const caught = await store.unitOfWork
        .run(async (tx) => {
          await tx.insert(User, userRow("Ghost"));
          throw reason;
        })
        .catch((error: unknown) => error);
      expect(caught).to.equal(reason);
      expect(await userNames(store)).to.not.include("Ghost");
    });

    it("keeps committed rows when a concurrent one rolls back", async () => {
      await Promise.allSettled(
        ["Kept", "Lost"].map((name) =>
          store.unitOfWork.run(async (tx) => {
            await tx.insert(User, userRow(name));
            await tx.count(User);
            if (name === "Lost") throw new Error("rolled back");
          }),
        ),
      );
      expect(await userNames(store))
        .to.include("Kept")
        .and.not.include("Lost");
    });

    it("completes many concurrent ones", async () => {
      const names = Array.from({ length: 30 }, (_, index) => `Many ${index}`);
      await Promise.all(
        names.map((name) =>
          store.unitOfWork.run((tx) => tx.save(User, userRow(name))),
        ),
      );
      expect(await userNames(store)).to.include.members(names);
    });

    it("returns the result of the work after it is committed", async () => {
      const row = userRow("Read");
      const id = await store.unitOfWork.run(async (tx) => {
        await tx.insert(User, row);
        return row.id;
      });
      expect(await store.read.countBy(User, { id })).to.equal(1);
    });

    it("rejects nesting instead of waiting for itself", async () => {
      const nested = store.unitOfWork.run(() =>
        store.unitOfWork.run(async () => undefined),
      );
      const error = await nested.catch((reason: unknown) => reason);
      expect(String(error)).to.include("must not start inside another");
    });
  });
});

const day = "2026-01-01";

eachDatabase((open) => {
  describe("writes that share a unit of work", () => {
    let store: Store;
    let organizationId: string;
    before(async () => {
      store = await open();
      organizationId = await newOrganization(store);
    });
    const createGroupCommit = (max: number) =>
      new GroupCommit<string, number>(
        store.unitOfWork,
        async (tx, metrics) => {
          for (const metric of metrics)
            await changeRows(
              tx,
              "INSERT INTO usage_counter (organization_id, day, metric, amount) VALUES (?, ?, ?, 1)",
              [organizationId, day, metric],
            );
          if (metrics.includes("bad")) throw new Error("one was bad");
          return metrics.map(() => metrics.length);
        },
        { gatherMs: 5, most: max },
      );
    const written = async () => {
      const rows = await store.read.findBy(UsageCounter, { organizationId });
      return rows.map(({ metric }) => metric).toSorted();
    };

    it("are written in one transaction", async () => {
      const group = createGroupCommit(3);
      const sizes = await Promise.all(["a", "b", "c"].map((m) => group.run(m)));
      expect(sizes).to.deep.equal([3, 3, 3]);
      expect(await written()).to.deep.equal(["a", "b", "c"]);
    });

    it("fail separately, each for its own reason", async () => {
      const group = createGroupCommit(3);
      const ends = await Promise.allSettled(
        ["d", "bad", "e"].map((m) => group.run(m)),
      );
      expect(ends.map(({ status }) => status)).to.deep.equal([
        "fulfilled",
        "rejected",
        "fulfilled",
      ]);
      expect(await written()).to.deep.equal(["a", "b", "c", "d", "e"]);
    });

    it("are written after the delay when no others arrive", async () => {
      expect(await createGroupCommit(100).run("f")).to.equal(1);
    });
  });
});

/** Reads, lets others have their turn, writes what it read plus one. */
async function increment(store: Store, id: string): Promise<void> {
  await store.unitOfWork.run(async (tx) => {
    const user = await findForUpdate(tx, User, { id });
    await new Promise(setImmediate);
    await tx.update(User, { id }, { name: String(Number(user?.name) + 1) });
  });
}

describe("two stores on one database", () => {
  eachDatabase((open) => {
    it("lose no update and reject none", async () => {
      const stores = [await open(), await open()] as const;
      const row = { ...userRow("0"), name: "0" };
      await stores[0].unitOfWork.run((tx) => tx.insert(User, row));
      await Promise.all(
        stores.flatMap((store) =>
          Array.from({ length: 25 }, () => increment(store, row.id)),
        ),
      );
      const user = await stores[1].read.findOneByOrFail(User, { id: row.id });
      expect(user.name).to.equal("50");
    });
  });
});

describe("a process killed in the middle of a unit of work", () => {
  eachDatabase((open, location) => {
    it("leaves a consistent database that others can write to immediately", async () => {
      const store = await open();
      const writer = startStoreProcess("write-and-hang", location);
      await writer.firstLine;
      writer.kill();
      await writer.ended;
      await store.unitOfWork.run((tx) => tx.insert(User, userRow("After")));
      expect(await userNames(store)).to.deep.equal(["After", "Before"]);
    });
  });
});

describe("units of work and snapshots on SQLite", () => {
  onSqlite((open) => {
    let store: Store;
    before(async () => {
      store = await open();
    });

    const runners = {
      unitOfWork: (work: () => Promise<void>) => store.unitOfWork.run(work),
      snapshot: (work: () => Promise<void>) => store.snapshot(work),
    };

    for (const [name, run] of Object.entries(runners))
      it(`serves organizations in turn, each in the order of its calls (${name})`, async () => {
        const order: string[] = [];
        const start = (organizationId: string, number: number) =>
          runAsOwner({ route: "test", organizationId }, () =>
            run(async () => {
              order.push(`${organizationId}${number}`);
            }),
          );
        await Promise.all([
          ...[1, 2, 3, 4].map((number) => start("busy", number)),
          ...[1, 2].map((number) => start("other", number)),
        ]);
        expect(order).to.deep.equal([
          "busy1",
          "busy2",
          "other1",
          "busy3",
          "other2",
          "busy4",
        ]);
      });
  });
});

async function rename(store: Store, first: string, second: string) {
  await store.unitOfWork.run(async (tx) => {
    await tx.update(User, { id: first }, { name: `after ${second}` });
    await tx.count(User);
    await tx.update(User, { id: second }, { name: `after ${first}` });
  });
}

describe("units of work that lock the same rows in opposite order", () => {
  eachDatabase((open) => {
    it("both succeed because the one that loses is retried", async () => {
      const store = await open();
      const [a, b] = [userRow("A"), userRow("B")];
      await store.unitOfWork.run((tx) => tx.insert(User, [a, b]));
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          index % 2 ? rename(store, a.id, b.id) : rename(store, b.id, a.id),
        ),
      );
      const user = await store.read.findOneByOrFail(User, { id: a.id });
      expect(user.name).to.equal(`after ${b.id}`);
    });
  });
});

// Why every write goes through the UnitOfWork: TypeORM has one SQLite connection, and a ROLLBACK undoes
// all writes since the BEGIN on that connection, whichever caller made them.
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

describe("snapshot", () => {
  eachDatabase((open) => {
    let store: Store;
    let other: Store;
    before(async () => {
      store = await open();
      other = await open();
    });

    const add = () =>
      other.unitOfWork.run((tx) => tx.insert(User, userRow("Ann")));

    it("reads the state at its start while other reads see later commits", async () => {
      const seen = await store.snapshot(async (read) => {
        const first = await read.count(User);
        await add();
        const outside = await store.read.count(User);
        return { first, outside, last: await read.count(User) };
      });
      expect(seen.last).to.equal(seen.first);
      expect(seen.outside).to.equal(seen.first + 1);
      expect(await store.snapshot((read) => read.count(User))).to.equal(
        seen.outside,
      );
    });

    it("does not wait for a writer and does not see its uncommitted rows", async () => {
      const committed = await store.read.count(User);
      const seen = await other.unitOfWork.run(async (tx) => {
        await tx.insert(User, userRow("Ben"));
        return store.snapshot((read) => read.count(User));
      });
      expect(seen).to.equal(committed);
    });

    it("isolates concurrent snapshots from each other", async () => {
      const pairs = await Promise.all(
        Array.from({ length: 20 }, () =>
          store.snapshot(async (read) => {
            const first = await read.count(User);
            await add();
            return { first, last: await read.count(User) };
          }),
        ),
      );
      for (const { first, last } of pairs) expect(last).to.equal(first);
    });

    it("rejects with the error of the work, and the next one succeeds", async () => {
      const reason = new Error("no");
      const failed = store.snapshot(async (read) => {
        await read.count(User);
        throw reason;
      });
      const caught = await failed.catch((error: unknown) => error);
      expect(caught).to.equal(reason);
      expect(await store.snapshot((read) => read.count(User))).to.be.above(0);
    });

    it("rejects nesting instead of waiting for itself", async () => {
      const nested = store.snapshot(() => store.snapshot(async () => {}));
      const error = await nested.catch((reason: unknown) => reason);
      expect(String(error)).to.include(
        "snapshot must not start inside another",
      );
    });
  });
});

describe("a read outside of a unit of work", () => {
  eachDatabase((open) => {
    it("neither waits for the writer nor sees uncommitted rows", async () => {
      const store = await open();
      await store.unitOfWork.run(async (tx) => {
        await tx.insert(User, userRow("Uncommitted"));
        expect(await tx.countBy(User, { name: "Uncommitted" })).to.equal(1);
        expect(await userNames(store)).to.deep.equal([]);
      });
      expect(await userNames(store)).to.deep.equal(["Uncommitted"]);
    });
  });
});

describe("stored values", () => {
  eachDatabase((open) => {
    it("are read back exactly: text in all alphabets, key order, milliseconds", async () => {
      const store = await open();
      const name = "Ångström 東京 🎩 عربى";
      const user = { ...userRow("U"), name };
      const date = new Date("2026-03-29T01:30:00.123Z");
      const settings = { "margin-left": 1, a: [1e21, null], margin: "é" };
      const row = {
        id: newId(),
        name,
        plan: "pro" as const,
        serviceUserId: user.id,
        settings,
        createdAt: date,
        updatedAt: date,
      };
      await store.unitOfWork.run(async (tx) => {
        await tx.insert(User, user);
        await tx.insert(Organization, row);
      });
      const read = await store.read.findOneByOrFail(Organization, { name });
      expect(read).to.deep.include(row);
      expect(JSON.stringify(read.settings)).to.equal(JSON.stringify(settings));
    });

    it("are different when only their case differs", async () => {
      const store = await open();
      await store.unitOfWork.run((tx) => tx.insert(User, userRow("Case")));
      expect(await store.read.countBy(User, { name: "case" })).to.equal(0);
    });
  });
});
