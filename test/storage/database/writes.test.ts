import { setTimeout as delay } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect } from "chai";
import type { EntityManager } from "typeorm";
import { runAsOwner } from "../../../core/lib/event-loop.js";
import {
  type Store,
  User,
  changeRows,
  findForUpdate,
  getDatabaseTime,
  GroupCommit,
  hasJsonValues,
  insertRows,
  isDuplicate,
  namesOf,
  newId,
  Organization,
  toLikePattern,
  type UnitOfWork,
  UsageCounter,
  type Work,
} from "../../../core/storage/database/index.js";
import { useFixedTime } from "../../support/clock.js";
import { listWords } from "../../support/rows.js";
import {
  eachDatabase,
  getRefusal,
  getRejection,
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

    it("commits all that the work wrote, or nothing, and ends as the work does", async () => {
      const reason = new Error("no");
      const insert = (name: string) =>
        store.unitOfWork.run(async (tx) => {
          await tx.insert(User, userRow(name));
          await tx.count(User);
          if (name === "Lost") throw reason;
          return name;
        });
      const results = await Promise.allSettled(
        ["Kept", "Lost", "Also kept"].map(insert),
      );
      expect(results).to.deep.equal([
        { status: "fulfilled", value: "Kept" },
        { status: "rejected", reason },
        { status: "fulfilled", value: "Also kept" },
      ]);
      expect(await userNames(store)).to.deep.equal(["Also kept", "Kept"]);
    });

    it("rejects nesting instead of waiting for itself", async () => {
      const inside = store.unitOfWork.run(() =>
        store.unitOfWork.run(async () => undefined),
      );
      expect(await getRefusal(inside)).to.equal(
        "internal A unit of work must not start inside another unit of work: pass on the outer one's entity manager instead.",
      );
      let late: Promise<string> | undefined;
      await store.unitOfWork.run(async () => {
        late = delay(20).then(() => store.unitOfWork.run(async () => "later"));
      });
      expect(await late).to.equal("later");
    });

    it("tells a row that is there already from other errors", async () => {
      const row = userRow("Twin");
      const insert = (added: Partial<User>) =>
        store.unitOfWork.run((tx) => tx.insert(User, { ...row, ...added }));
      await insert({});
      const errors = [
        await getRejection(insert({ email: "other@example.com" })),
        await getRejection(insert({ id: newId() })),
        await getRejection(store.read.query("SELECT nothing")),
        new Error("SQLITE_CONSTRAINT_UNIQUE"),
        "ER_DUP_ENTRY",
      ];
      expect(errors.map(isDuplicate)).to.deep.equal([
        true,
        true,
        false,
        false,
        false,
      ]);
    });

    it("finishes what runs before the store closes, also when that is asked for twice", async () => {
      const closing = await open();
      const row = userRow("Last");
      const work = closing.unitOfWork.run(async (tx) => {
        await tx.insert(User, row);
        await delay(20);
        return closing.dataSource.isInitialized;
      });
      const reading = closing.snapshot(async (read) => {
        await delay(20);
        return read.countBy(User, { name: "Nobody" });
      });
      await Promise.all([closing.close(), closing.close()]);
      expect([await work, await reading]).to.deep.equal([true, 0]);
      expect(closing.dataSource.isInitialized).to.equal(false);
      expect(closing.read.dataSource.isInitialized).to.equal(false);
      expect(await store.read.countBy(User, { id: row.id })).to.equal(1);
    });
  });
});

/** Nothing is written through it. */
const transaction: EntityManager = Object({});

describe("writes that share a unit of work", () => {
  const bad = new Error("one was bad");
  const lost = new Error("the connection broke");
  let groups: string[];
  /** Each group commits at once, but for those with `lost`, whose commit fails. */
  const unitOfWork: UnitOfWork = {
    run: async <T>(work: Work<T>) => {
      const result = await work(transaction);
      if (groups.at(-1)?.includes("lost")) throw lost;
      return result;
    },
  };
  const run = async (
    items: readonly string[],
    size: ConstructorParameters<typeof GroupCommit>[2],
  ) => {
    groups = [];
    const group = new GroupCommit<string, string>(
      unitOfWork,
      async (_tx, some) => {
        groups.push(some.join(" "));
        if (some.includes("bad")) throw bad;
        return some.map((item) => item.toUpperCase());
      },
      size,
    );
    const ends = await Promise.allSettled(items.map((item) => group.run(item)));
    return ends.map((end) =>
      end.status === "fulfilled" ? end.value : end.reason,
    );
  };
  const never = 3_600_000;
  const all = ["a", "b", "c", "d"];

  it("are those of one turn of the event loop, up to a number, or until no other can come", async () => {
    const upper = ["A", "B", "C", "D"];
    for (const [size, expected] of [
      [{ gatherMs: 0, most: 9 }, ["a b c d"]],
      [{ gatherMs: 1, most: 9 }, ["a b c d"]],
      [{ gatherMs: never, most: 4 }, ["a b c d"]],
      [{ gatherMs: never, most: 2 }, ["a b", "c d"]],
      [{ gatherMs: 0, most: 3 }, ["a b c", "d"]],
      [
        {
          gatherMs: never,
          most: 9,
          isComplete: (waiting: number) => waiting === 2,
        },
        ["a b", "c d"],
      ],
    ] as const) {
      expect(await run(all, size)).to.deep.equal(upper);
      expect(groups).to.deep.equal(expected);
    }
  });

  it("wait for others, and then begin a new group", async () => {
    const group = new GroupCommit<string, number>(
      { run: (work) => work(transaction) },
      async (_tx, items) => items.map(() => items.length),
      { gatherMs: 50, most: 9 },
    );
    const first = group.run("a");
    await new Promise(setImmediate);
    expect(await Promise.all([first, group.run("b")])).to.deep.equal([2, 2]);
    expect(await group.run("c")).to.equal(1);
  });

  it("fail separately, each for its own reason, unless they may be committed", async () => {
    const size = { gatherMs: 0, most: 9 };
    expect(await run(["a", "bad", "c"], size)).to.deep.equal(["A", bad, "C"]);
    expect(groups).to.deep.equal(["a bad c", "a", "bad", "c"]);
    expect(await run(["a", "lost"], size)).to.deep.equal([lost, lost]);
    expect(groups).to.deep.equal(["a lost"]);
    expect(await run(["bad"], size)).to.deep.equal([bad]);
    expect(groups).to.deep.equal(["bad"]);
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
        expect(order).to.deep.equal(
          listWords(`
          busy1 other1 busy2 other2 busy3 busy4
        `),
        );
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

describe("a database file that another program holds locked", () => {
  onSqlite((open, location) => {
    const time = useFixedTime();
    let holder: Database.Database;
    let store: Store;
    before(async () => {
      store = await open();
      if (location.kind === "sqlite") holder = new Database(location.file);
    });
    after(() => holder.close());
    const insert = (name: string) =>
      store.unitOfWork.run((tx) => tx.insert(User, userRow(name)));

    it("is waited for, for half a minute", async () => {
      holder.exec("BEGIN IMMEDIATE");
      const waiting = insert("Waits");
      time.advance(30_000);
      await delay(100);
      holder.exec("ROLLBACK");
      await waiting;
      holder.exec("BEGIN IMMEDIATE");
      const refused = getRefusal(insert("Gives up"));
      time.advance(30_001);
      expect(await refused).to.equal(
        "unavailable The database file is locked by another program. Close that program, then try again.",
      );
      holder.exec("ROLLBACK");
      await insert("Later");
      expect(await userNames(store)).to.deep.equal(["Later", "Waits"]);
    });

    it("is read meanwhile, and its settings are those that Platen relies on", async () => {
      const settings: Record<string, unknown> = {};
      for (const name of [
        "journal_mode",
        "synchronous",
        "foreign_keys",
        "busy_timeout",
      ]) {
        const [row] = await store.dataSource.query<object[]>(`PRAGMA ${name}`);
        [settings[name]] = Object.values(row ?? {});
      }
      expect(settings).to.deep.equal({
        journal_mode: "wal",
        synchronous: 1,
        foreign_keys: 1,
        busy_timeout: 25,
      });
      const write = store.read.query("DELETE FROM list_count");
      expect(await getRejection(write)).to.have.property(
        "message",
        "SqliteError: attempt to write a readonly database",
      );
    });
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
        expect(await tx.count(User)).to.equal(committed + 1);
        return [
          await store.snapshot((read) => read.count(User)),
          await store.read.count(User),
        ];
      });
      expect(seen).to.deep.equal([committed, committed]);
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
      expect(await getRejection(failed)).to.equal(reason);
      expect(await store.snapshot((read) => read.count(User))).to.equal(
        await store.read.count(User),
      );
    });

    it("rejects nesting instead of waiting for itself", async () => {
      const nested = store.snapshot(() => store.snapshot(async () => {}));
      expect(await getRefusal(nested)).to.equal(
        "internal A snapshot must not start inside another snapshot: pass on the outer one's entity manager instead.",
      );
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

describe("rows", () => {
  eachDatabase((open) => {
    let store: Store;
    let organizationId: string;
    before(async () => {
      store = await open();
      organizationId = await newOrganization(store);
    });
    const day = "2026-01-01";

    it("are inserted in any number, changed by their columns, and counted when they change", async () => {
      const rows = Array.from({ length: 1001 }, (_, index) => {
        const metric = `m${String(index).padStart(4, "0")}`;
        return { organizationId, day, metric, amount: index };
      });
      await store.unitOfWork.run((tx) => insertRows(tx, UsageCounter, rows));
      const order = { metric: "ASC" } as const;
      expect(await store.read.find(UsageCounter, { order })).to.deep.equal(
        rows,
      );
      const text = "DELETE FROM usage_counter WHERE amount > ?";
      const change = (amount: number) =>
        store.unitOfWork.run((tx) => changeRows(tx, text, [amount]));
      expect([await change(3), await change(3)]).to.deep.equal([997, 0]);
      expect(
        String(await getRejection(changeRows(store.read, text, [0]))),
      ).to.equal("Error: changeRows requires a unit of work");
    });

    it("are named, without those that are gone", async () => {
      const user = userRow("Nadia");
      await store.unitOfWork.run((tx) => tx.insert(User, user));
      const names = await namesOf(store.read, User, [user.id, null, newId()]);
      expect([...names]).to.deep.equal([[user.id, "Nadia"]]);
    });

    it("are found by the JSON that they hold, whatever its keys and values are", async () => {
      const settings = {
        order: "4711 ",
        "a.b": "x",
        '"': 'va"l\\ue',
        "": "empty",
        "50%": "_",
        ключ: "É",
        number: 4711,
        rate: 1.5,
        flag: true,
        none: null,
        object: { order: "4711" },
        list: ["x"],
      };
      await store.unitOfWork.run((tx) =>
        tx.update(Organization, organizationId, Object({ settings })),
      );
      const isFound = (values: Record<string, string>) =>
        store.read.existsBy(Organization, {
          id: organizationId,
          settings: Object(hasJsonValues(store.read, values)),
        });
      for (const [values, expected] of [
        [{ "a.b": "x" }, true],
        [{ '"': 'va"l\\ue', number: "4711" }, true],
        [{ "": "empty", "50%": "_", ключ: "É" }, true],
        [{ order: "4711 ", rate: "1.5" }, true],
        [{ flag: "true", none: "null" }, true],
        [{ a: "x" }, false],
        [{ "a.b": "X" }, false],
        [{ order: "4711" }, false],
        [{ number: "471" }, false],
        [{ flag: "1" }, false],
        [{ nothing: "null" }, false],
        [{ constructor: "x" }, false],
        [{ object: "4711" }, false],
        [{ number: "4711", rate: "2" }, false],
      ] as [Record<string, string>, boolean][])
        expect(await isFound(values), JSON.stringify(values)).to.equal(
          expected,
        );
    });

    it("are found by a part of a text, whatever its characters are", async () => {
      const text = "50% of_all!";
      await store.unitOfWork.run((tx) => tx.insert(User, userRow(text)));
      const find = (part: string) =>
        store.read
          .createQueryBuilder(User, "user")
          .where("user.name LIKE :pattern ESCAPE '!'", {
            pattern: toLikePattern(part),
          })
          .getCount();
      const counts = [];
      for (const part of ["50% of", "of_all", "ll!", "5_%", "5%o", "of!"])
        counts.push(await find(part));
      expect(counts).to.deep.equal([1, 1, 1, 0, 0, 0]);
    });

    it("have the time of the database's clock, in milliseconds", async () => {
      const start = Date.now();
      const time = Number(await getDatabaseTime(store.read));
      expect(time).to.be.within(start - 60_000, Date.now() + 60_000);
    });
  });
});
