import { expect } from "chai";
import { before, describe, it, beforeEach } from "mocha";
import {
  listPage,
  type Store,
  User,
  Folder,
  ListCount,
  ListCounts,
  newId,
} from "../../../core/storage/database/index.js";
import { eachDatabase, userRow, newOwner } from "../../support/store.js";

describe("listPage", () => {
  eachDatabase((open) => {
    let store: Store;
    const createdAt = new Date();
    before(async () => {
      store = await open();
      const rows = Array.from({ length: 25 }, (_, index) => ({
        ...userRow(`User ${index}`),
        createdAt,
      }));
      await store.unitOfWork.run((tx) => tx.insert(User, rows));
    });
    const page = (number: number) =>
      listPage(store.read, User, {
        where: {},
        newestBy: "createdAt",
        page: number,
        pageSize: 10,
      });

    it("returns each row once, rows with equal timestamps by descending id", async () => {
      const pages = [await page(1), await page(2), await page(3)];
      const ids = pages.flatMap(({ rows }) => rows.map(({ id }) => id));
      expect(pages.map(({ rows }) => rows.length)).to.deep.equal([10, 10, 5]);
      expect(ids).to.deep.equal(
        [...new Set(ids)].toSorted((a, b) => (a < b ? 1 : -1)),
      );
    });

    it("returns the total on every page, including one after the last", async () => {
      const beyond = await page(9);
      expect(beyond).to.deep.equal({
        rows: [],
        total: 25,
        page: 9,
        pageSize: 10,
      });
    });
  });
});

const hourMs = 3_600_000;

describe("ListCounts", () => {
  eachDatabase((open) => {
    let store: Store;
    let owner: Awaited<ReturnType<typeof newOwner>>;
    let unsettledFrom: Date | null = null;

    const counts = new ListCounts(
      {
        name: "folder",
        entity: Folder,
        filters: ["kind", "name"],
        findUnsettled: () => Promise.resolve(unsettledFrom),
      },
      5,
    );
    const insert = (
      count: number,
      kind: Folder["kind"],
      name: string,
      ageMs = hourMs,
    ) => {
      const { organizationId, userId: createdById } = owner;
      const createdAt = new Date(Date.now() - ageMs);
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
    /** Of all lists of the owner. */
    const findStored = async () =>
      (await store.read.find(ListCount)).filter(({ list }) =>
        list.includes(owner.organizationId),
      );
    const change = async (changes: Partial<ListCount>) => {
      for (const { list } of await findStored())
        await store.unitOfWork.run((tx) =>
          tx.update(ListCount, { list }, changes),
        );
    };

    before(async () => {
      store = await open();
    });

    beforeEach(async () => {
      unsettledFrom = null;
      owner = await newOwner(store);
      await insert(4, "asset", "A");
      await insert(2, "asset", "B");
      await insert(3, "template", "A");
    });

    it("counts all rows before the first sweep, and the same after it", async () => {
      expect(await countAll()).to.deep.equal([9, 6, 7, 4]);
      await counts.sweep(store);
      expect(await findStored()).to.have.length(8);
      expect(await countAll()).to.deep.equal([9, 6, 7, 4]);
    });

    it("counts older rows once, and newer ones at each request", async () => {
      await counts.sweep(store);
      await change({ rowCount: 1000 });
      await insert(3, "asset", "A", 0);
      expect(await countAll()).to.deep.equal([1003, 1003, 1003, 1003]);
    });

    it("adds rows to what is stored when they are many", async () => {
      await counts.sweep(store);
      await change({ createdBefore: new Date(Date.now() - hourMs / 2) });
      await insert(4, "asset", "C", hourMs / 4);
      await counts.sweep(store);
      expect(await count({ name: "C" })).to.equal(4);
      const earlier = await findStored();
      await insert(1, "asset", "C", hourMs / 4);
      await counts.sweep(store);
      expect(await findStored()).to.have.length.above(earlier.length);
      expect(await countAll()).to.deep.equal([14, 11, 7, 4]);
      expect(await count({ name: "C" })).to.equal(5);
    });

    it("stores no rows that may still change", async () => {
      await insert(5, "template", "A", 2 * hourMs);
      unsettledFrom = new Date(Date.now() - 1.5 * hourMs);
      await counts.sweep(store);
      await store.unitOfWork.run((tx) =>
        tx.update(Folder, { name: "B" }, { name: "A" }),
      );
      expect(await countAll()).to.deep.equal([14, 6, 14, 6]);
    });

    it("counts all rows anew after a day, also when they have become few", async () => {
      await counts.sweep(store);
      const { organizationId } = owner;
      await store.unitOfWork.run((tx) =>
        tx.delete(Folder, { organizationId, kind: "asset" }),
      );
      expect(await count()).to.equal(9);
      await change({ countedAt: new Date(Date.now() - 25 * hourMs) });
      await counts.sweep(store);
      expect(await countAll()).to.deep.equal([3, 0, 3, 0]);
    });

    it("stores the same once when several processes sweep at once", async () => {
      await Promise.allSettled([counts.sweep(store), counts.sweep(store)]);
      await insert(6, "asset", "A", hourMs / 4);
      await change({ createdBefore: new Date(Date.now() - hourMs / 2) });
      await Promise.allSettled([counts.sweep(store), counts.sweep(store)]);
      expect(await countAll()).to.deep.equal([15, 12, 13, 10]);
    });
  });
});
