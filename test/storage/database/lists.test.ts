import { expect } from "chai";
import { MoreThan } from "typeorm";
import {
  listAfter,
  listPage,
  listSlice,
  type Store,
  User,
  Folder,
  ListCount,
  ListCounts,
  newId,
} from "../../../core/storage/database/index.js";
import { useFixedTime } from "../../support/clock.js";
import {
  eachDatabase,
  getRejection,
  newOwner,
  userRow,
} from "../../support/store.js";

describe("lists", () => {
  eachDatabase((open) => {
    let store: Store;
    let newestFirst: User[];
    before(async () => {
      store = await open();
      // Three and two of the same time, and two alone.
      const seconds = [5, 5, 5, 4, 3, 3, 1];
      const rows = seconds.map((second, index) => ({
        ...userRow(index % 3 === 0 ? "Ann" : "Ben"),
        createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
      }));
      await store.unitOfWork.run((tx) => tx.insert(User, rows));
      newestFirst = rows.toSorted(
        (one, other) =>
          Number(other.createdAt) - Number(one.createdAt) ||
          (one.id < other.id ? 1 : -1),
      );
    });
    const wheres = () =>
      [
        { where: {}, all: newestFirst },
        {
          where: { name: "Ben" },
          all: newestFirst.filter(({ name }) => name === "Ben"),
        },
      ] as const;

    it("give each slice, newest first and equal times by descending id, with the total", async () => {
      for (const { where, all } of wheres())
        for (let offset = 0; offset <= all.length; offset += 1)
          for (const limit of [1, 2, 10])
            expect(
              await listSlice(store.read, User, {
                where,
                newestBy: "createdAt",
                offset,
                limit,
              }),
            ).to.deep.equal({
              rows: all.slice(offset, offset + limit),
              total: all.length,
            });
    });

    it("give pages from 1 on, of the columns that are asked for and with a total that is counted otherwise", async () => {
      let counts = 0;
      const page = await listPage(store.read, User, {
        where: {},
        newestBy: "createdAt",
        select: { id: true, name: true },
        count: async () => (counts += 7),
        page: 2,
        pageSize: 4,
      });
      const rows = newestFirst.slice(4).map(({ id, name }) => ({ id, name }));
      expect(counts).to.equal(7);
      expect(page.rows).to.deep.equal(rows);
      expect(page).to.deep.include({ total: 7, page: 2, pageSize: 4 });
    });

    it("give what follows a row, and whether there is more", async () => {
      for (const { where, all } of wheres())
        for (const [index, after] of [null, ...all].entries())
          for (const limit of [1, 2, 10]) {
            const expected = {
              rows: all.slice(index, index + limit),
              hasMore: all.length > index + limit,
            };
            const query = { newestBy: "createdAt", after, limit } as const;
            expect(
              await listAfter(store.read, User, { ...query, where }),
            ).to.deep.equal(expected);
            const until = { ...where, createdAt: MoreThan(new Date(0)) };
            expect(
              await listAfter(store.read, User, { ...query, where: until }),
            ).to.deep.equal(expected);
          }
    });
  });
});

const hourMs = 3_600_000;

describe("ListCounts", () => {
  eachDatabase((open) => {
    const time = useFixedTime(new Date("2026-07-31T12:00:00.000Z"));
    let store: Store;
    let owner: Awaited<ReturnType<typeof newOwner>>;
    let unsettledFrom: Date | null;
    let counts: ListCounts<Folder>;

    const insert = (
      count: number,
      kind: Folder["kind"],
      name: string,
      ageMs = hourMs,
    ) => {
      const { organizationId, userId: createdById } = owner;
      const createdAt = new Date(time.now() - ageMs);
      const updatedAt = createdAt;
      const folder = { organizationId, createdById, createdAt, updatedAt };
      const rows = Array.from({ length: count }, () => {
        return { ...folder, id: newId(), parentId: null, kind, name };
      });
      return store.unitOfWork.run((tx) => tx.insert(Folder, rows));
    };
    const count = (filter: Record<string, string> = {}) =>
      store.snapshot((read) =>
        counts.count(read, owner.organizationId, filter),
      );
    const countAll = async () => [
      await count(),
      await count({ kind: "asset" }),
      await count({ name: "A" }),
      await count({ kind: "asset", name: "A" }),
    ];
    /** What is stored of each list of the owner: its count, until when, and when all was counted, in minutes before now. */
    const findStored = async () =>
      Object.fromEntries(
        (await store.read.find(ListCount))
          .filter(({ list }) => list.includes(owner.organizationId))
          .map(({ list, rowCount, createdBefore, countedAt }) => [
            list.replace(` ${owner.organizationId}`, ""),
            [
              rowCount,
              ...[createdBefore, countedAt].map(
                (date) => (time.now() - Number(date)) / 60_000,
              ),
            ],
          ]),
      );
    const empty = (kind: Folder["kind"]) =>
      store.unitOfWork.run(async (tx) => {
        const { organizationId } = owner;
        await tx.delete(Folder, { organizationId, kind });
      });

    before(async () => {
      store = await open();
    });

    beforeEach(async () => {
      unsettledFrom = null;
      counts = new ListCounts(
        {
          name: "folder",
          entity: Folder,
          filters: ["kind", "name"],
          findUnsettled: () => Promise.resolve(unsettledFrom),
        },
        { minRows: 5, rowsPerPiece: 2 },
      );
      owner = await newOwner(store);
      await insert(4, "asset", "A");
      await insert(2, "asset", "B", 2 * hourMs);
      await insert(3, "template", "A", 1.5 * hourMs);
    });

    it("stores how many rows each list has that are older than ten minutes, and counts newer ones at each request", async () => {
      await insert(1, "asset", "A", 10 * 60_000);
      expect(await countAll()).to.deep.equal([10, 7, 8, 5]);
      await counts.sweep(store);
      expect(await findStored()).to.deep.equal({
        folder: [9, 10, 0],
        "folder kind=asset": [6, 10, 0],
        "folder kind=asset name=A": [4, 10, 0],
        "folder kind=asset name=B": [2, 10, 0],
        "folder kind=template": [3, 10, 0],
        "folder kind=template name=A": [3, 10, 0],
        "folder name=A": [7, 10, 0],
        "folder name=B": [2, 10, 0],
      });
      expect(await countAll()).to.deep.equal([10, 7, 8, 5]);
      await empty("asset");
      await insert(2, "asset", "A", 0);
      expect(await countAll()).to.deep.equal([11, 8, 9, 6]);
    });

    it("adds rows to what is stored as soon as there are enough, without counting the others again", async () => {
      await counts.sweep(store);
      await empty("template");
      time.advance(hourMs);
      await insert(4, "asset", "C", hourMs / 2);
      await counts.sweep(store);
      expect((await findStored())["folder"]).to.deep.equal([9, 70, 60]);
      await insert(1, "asset", "C", hourMs / 4);
      await counts.sweep(store);
      expect((await findStored())["folder"]).to.deep.equal([14, 10, 60]);
      expect(await countAll()).to.deep.equal([14, 11, 7, 4]);
      expect(await count({ name: "C" })).to.equal(5);
    });

    it("stores no rows that may still change", async () => {
      unsettledFrom = new Date(time.now() - 1.5 * hourMs);
      await insert(5, "template", "A", 2 * hourMs);
      await counts.sweep(store);
      expect((await findStored())["folder"]).to.deep.equal([7, 90, 0]);
      // Already counted: they stay so.
      unsettledFrom = new Date(time.now() - 3 * hourMs);
      await counts.sweep(store);
      expect(await countAll()).to.deep.equal([14, 6, 12, 4]);
    });

    it("counts all rows anew after a day, also when they have become few", async () => {
      await counts.sweep(store);
      await empty("asset");
      time.advance(24 * hourMs - 1);
      await counts.sweep(store);
      expect(await countAll()).to.deep.equal([9, 6, 7, 4]);
      time.advance(1);
      await counts.sweep(store);
      expect(await countAll()).to.deep.equal([3, 0, 3, 0]);
      expect((await findStored())["folder"]).to.deep.equal([3, 10, 0]);
    });

    it("stores the same once when several processes sweep at once", async () => {
      await Promise.allSettled([counts.sweep(store), counts.sweep(store)]);
      time.advance(hourMs);
      await insert(6, "asset", "A", hourMs / 4);
      await Promise.allSettled([counts.sweep(store), counts.sweep(store)]);
      expect(await countAll()).to.deep.equal([15, 12, 13, 10]);
    });

    it("stores no counts when its signal is aborted", async () => {
      const reason = new Error("stopped");
      const signal = AbortSignal.abort(reason);
      expect(await getRejection(counts.sweep(store, signal))).to.equal(reason);
      expect(await findStored()).to.deep.equal({});
    });
  });
});
